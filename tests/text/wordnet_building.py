"""A WordNet of a dozen concepts in WordNet's own format, written by hand.

Number, name and what it is a kind of::

    10 entity
      20 animal
        30 pet
        40 dog (of pet as well)
          50 Lassie (an instance)
        60 wolf
      70 group
        80 species
      90 event
        91 storm
          92 tropical storm

A wolf is a part of a group, and a storm of an event. Only one of the two says so: the wolf does,
and the event.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

HEAD = """\
  1 This software and database is being provided to you, the LICENSEE.
  2
  3 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.
"""
DATA_NOUN = """\
00000010 03 n 01 entity 0 002 ~ 00000020 n 0000 ~ 00000070 n 0000 | what there is; "a @ | thing"
00000020 03 n 02 animal 0 beast 1 001 @ 00000010 n 0000 | a living being
00000030 05 n 01 pet 0 001 @ 00000020 n 0000 | an animal kept at home
00000040 05 n 02 dog 0 domestic_dog 0 003 @ 00000020 n 0000 @ 00000030 n 0000 ~i 00000050 n 0000 | it barks
00000050 18 n 01 Lassie 0 001 @i 00000040 n 0000 | a dog of the films
00000060 05 n 01 wolf 0 003 @ 00000020 n 0000 #p 00000070 n 0000 + 00000011 v 0101 | it howls
00000070 03 n 02 group 0 pack 0 001 @ 00000010 n 0000 | several
00000080 14 n 01 species 0 001 @ 00000070 n 0000 | a biological group
00000090 03 n 01 event 0 002 @ 00000010 n 0000 %p 00000091 n 0000 | it happens
00000091 19 n 02 storm 0 tempest 0 001 @ 00000090 n 0000 | a strong wind
00000092 19 n 01 tropical_storm 0 001 @ 00000091 n 0000 | a storm of the tropics
"""  # noqa: E501
INDEX_NOUN = """\
animal n 1 2 @ ~ 1 1 00000020
beast n 1 2 @ ~ 1 0 00000020
dog n 1 2 @ ~ 1 1 00000040
domestic_dog n 1 2 @ ~ 1 0 00000040
entity n 1 1 ~ 1 1 00000010
event n 1 2 @ ~ 1 1 00000090
group n 1 2 @ ~ 1 1 00000070
lassie n 1 1 @i 1 0 00000050
pack n 2 2 @ ~ 2 1 00000070 00000040
pet n 1 2 @ ~ 1 1 00000030
species n 1 1 @ 1 1 00000080
storm n 1 2 @ ~ 1 1 00000091
tempest n 1 2 @ ~ 1 0 00000091
tropical_storm n 1 1 @ 1 0 00000092
wolf n 1 1 @ 1 1 00000060
"""
DATA_VERB = """\
00000011 38 v 01 move 0 001 ~ 00000021 v 0000 01 + 02 00 | change place
00000021 38 v 02 run 0 rush 3 001 @ 00000011 v 0000 02 + 02 00 + 08 01 | move fast
00000031 39 v 01 rain 0 000 01 + 01 00 | fall as rain
"""
INDEX_VERB = """\
move v 1 1 ~ 1 1 00000011
rain v 1 0 1 1 00000031
run v 1 1 @ 1 1 00000021
rush v 1 1 @ 1 0 00000021
"""
FILES = {
    "data.noun": HEAD + DATA_NOUN,
    "index.noun": HEAD + INDEX_NOUN,
    "data.verb": HEAD + DATA_VERB,
    "index.verb": HEAD + INDEX_VERB,
    "noun.exc": "wolves wolf\n",
    "verb.exc": "ran run\n",
}


def write(folder: Path, files: Mapping[str, str] = FILES, **changed: str | None) -> Path:
    """Write the files; ``changed`` replaces one (``data_noun=...``) or leaves it out (None)."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        content = changed.get(name.replace(".", "_"), text)
        if content is not None:
            (folder / name).write_text(content, "utf-8")
    return folder
