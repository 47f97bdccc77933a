"""The benches are programs too: what they compare is right, what they are asked is checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.pairwise_library import agree, pairwise_library
from benchmarks.run import main, sections
from benchmarks.variants import variants

from scenthound.similarity.word_similarity import TaxonomySimilarity
from similarity.farm import farm


def test_the_library_agrees_where_there_is_one_way_up() -> None:
    taxonomy = farm()
    wu_palmer, lin = TaxonomySimilarity(taxonomy, "wu-palmer"), TaxonomySimilarity(taxonomy, "lin")
    with pairwise_library(taxonomy, ["stone", "goat", "horse", "singer"]) as library:
        assert library.wu_palmer("stone", "goat") == pytest.approx(4 / 7)  # 3 edges, depth 2
        assert library.wu_palmer("singer", "goat") == pytest.approx(2 / 7)  # 5 edges, depth 1
        assert library.lin("horse", "goat") == pytest.approx(0.25)  # animal has 1/4, leaves 1
        for first, second in (("stone", "goat"), ("singer", "goat"), ("horse", "goat")):
            place = taxonomy.index[second]
            assert agree(library.wu_palmer(first, second), wu_palmer.to_all(first)[place])
            assert agree(library.lin(first, second), lin.to_all(first)[place])


def test_variants_change_one_thing_each() -> None:
    names = Counter(each.name for each in variants())
    assert set(names.values()) == {1}
    assert {"ssrm", "ssvsm", "soft-svsm"} <= set(names)
    for each in variants():
        assert len(each.spec.check(each.parameters)) <= 1


def test_help_and_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = "".join(capsys.readouterr().out.split())  # lines break at hyphens too
    assert all(name in said for name in sections(Path(), [1]))
    assert main(["--webs", str(tmp_path), "--only", "variants"]) == 2
    assert "topics" in capsys.readouterr().err
