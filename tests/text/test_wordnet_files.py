"""The packed file: what was written is read, the same bytes every time, damage is reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tools.build_wordnet import main, write_packed

from scenthound.core.errors import LexiconError
from scenthound.text.wordnet import Taxonomy, WordNet
from scenthound.text.wordnet_files import SHIPPED, load_wordnet, read_database, read_packed, shipped
from text.wordnet_building import write


@pytest.fixture
def facts(tmp_path: Path) -> WordNet:
    return read_database(write(tmp_path / "wordnet"))


@pytest.fixture
def file(tmp_path: Path, facts: WordNet) -> Path:
    write_packed(tmp_path / "facts.npz", facts)
    return tmp_path / "facts.npz"


def arrays(taxonomy: Taxonomy) -> list[list[int]]:
    return [
        array.tolist()
        for array in (
            taxonomy.senses.starts, taxonomy.senses.values, taxonomy.parents.starts,
            taxonomy.parents.values, taxonomy.levels, taxonomy.hyponyms,
            taxonomy.wholes.starts, taxonomy.wholes.values,
        )
    ]  # fmt: skip


def test_what_was_written_is_read(facts: WordNet, file: Path) -> None:
    read = read_packed(file)
    assert (read.version, read.exceptions) == (facts.version, facts.exceptions)
    for ours, theirs in ((read.nouns, facts.nouns), (read.verbs, facts.verbs)):
        assert ours.lemmas == theirs.lemmas
        assert arrays(ours) == arrays(theirs)
        assert ours.parents.values.dtype == ours.wholes.values.dtype == np.int32


def test_what_is_missing_no_packed_file_or_only_a_part_of_one(tmp_path: Path, file: Path) -> None:
    with pytest.raises(LexiconError, match="missing or damaged; install Scenthound again"):
        read_packed(tmp_path / "nothing.npz")
    whole = file.read_bytes()
    parts = [whole[:length] for length in range(0, len(whole), 397)]
    for content in [*parts, b"PK\x03\x04", b"\x93NUMPY\x01\x00", b"hello" * 99]:
        file.write_bytes(content)
        with pytest.raises(LexiconError):
            read_packed(file)


def test_any_byte_may_be_wrong(facts: WordNet, file: Path) -> None:
    """The damage is reported, or is in a place that means nothing."""
    whole = file.read_bytes()
    reported = 0
    for place in range(0, len(whole), 37):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xA5]) + whole[place + 1 :])
        try:
            read = read_packed(file)
        except LexiconError:
            reported += 1
        else:
            assert read.nouns.lemmas == facts.nouns.lemmas
            assert arrays(read.nouns) == arrays(facts.nouns)
    assert reported > 30


def test_the_tool_builds_file_and_licence_and_wants_the_exceptions(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "data"
    assert main([str(tmp_path / "wordnet"), "--out", str(out)]) == 0
    assert (out / "wordnet-3.0.npz").read_bytes() == file.read_bytes()
    assert "WordNet 3.0 Copyright 2006" in (out / "LICENSE.wordnet").read_text()
    printed, progress = capsys.readouterr()
    assert printed.splitlines() == [
        "noun: 15 lemmas, 11 concepts, 11 links up, 2 part-of links, 1 irregular inflections",
        "verb: 4 lemmas, 4 concepts, 3 links up, 0 part-of links, 1 irregular inflections",
        f"wordnet-3.0.npz: {file.stat().st_size:,} bytes",
    ]
    assert "reading" in progress and "writing" in progress
    folder = write(tmp_path / "bare", noun_exc=None)
    assert main([str(folder), "--out", str(tmp_path / "out")]) == 2
    assert "lacks noun.exc; take the folder of Debian's wordnet-base" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# Facts about WordNet 3.0 that anybody can look up.

STORM = ("storm", "atmospheric phenomenon", "physical phenomenon", "natural phenomenon",
         "phenomenon", "process", "physical entity", "entity")  # fmt: skip
"""The first sense of storm and all above it, upwards."""


@pytest.fixture(scope="module")
def nouns() -> Taxonomy:
    return shipped().nouns


def test_the_shipped_wordnet_is_the_one_of_princeton(nouns: Taxonomy) -> None:
    wordnet = shipped()
    assert shipped() is wordnet is load_wordnet()
    assert (wordnet.version, wordnet.origin) == ("3.0", "shipped with Scenthound")
    # wnstats: 117,798 noun strings in 82,115 synsets, 11,529 verb strings in 13,767.
    verbs = shipped().verbs
    assert (len(nouns.lemmas), len(nouns), len(nouns.senses.values)) == (117_798, 82_115, 146_312)
    assert (len(verbs.lemmas), len(verbs), len(verbs.senses.values)) == (11_529, 13_768, 25_047)
    storm = int(nouns.concepts("storm")[0])
    chain = nouns.ancestors(storm)
    assert len(chain) == len(STORM)
    for name in STORM:
        assert chain & set(nouns.concepts(name).tolist())
    assert nouns.depth[storm] == len(STORM)
    assert storm in nouns.ancestors(int(nouns.concepts("hurricane")[0]))
    folder = Path(SHIPPED).parent
    licence = (folder / "LICENSE.wordnet").read_text("utf-8")
    assert "Permission to use, copy, modify and distribute" in licence
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence
    assert "build_wordnet.py" in (folder / "README.md").read_text("utf-8")
    assert SHIPPED.stat().st_size < 1_200_000
