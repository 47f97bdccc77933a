"""The default strategy: what it reads of a link, how it weighs that, and what it learns."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import INLINKS, Document, Part, Score, TopicProfile, inlink_share
from scenthound.core.protocols import SupportsRevision
from scenthound.similarity.bert import NEURAL_VARIABLE
from scenthound.similarity.sentence_models import SentenceModel, TermVectorModel
from scenthound.similarity.text_models import TopicModel
from scenthound.strategies import scent as module
from scenthound.strategies import vector_models
from scenthound.strategies.scent import INLINKS_WEIGHT, LinkEvidence, Scent, evidence_names, scent
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_model_builders import soft_svsm_form
from scenthound.text.analyzer import Analyzer
from similarity.fixed_vectors import Compass
from strategies.scoring import followed, link, strategy_context, visit

LIGHT = evidence_names(["words", "meaning"])
ALL = evidence_names(["words", "meaning", "sentence"])
WAY = TopicProfile("way", ("east",), (Document(text="east wind"),))


def evidence_of_east(sentences: bool = False) -> LinkEvidence:
    """Evidence of the topic east, with vectors that are given."""
    given = StrategyContext(WAY, Analyzer(), random.Random(0))
    form = soft_svsm_form(given, "lin", "informative", 0.6, 4.0)
    words = TopicModel(given.profile, given.analyzer, form, 40, "merged")
    meaning = TermVectorModel(WAY, given.analyzer, Compass())
    read = SentenceModel(WAY, Compass()) if sentences else None
    return LinkEvidence(given.analyzer, words, meaning, read)


def test_every_text_is_read_in_every_way_but_the_blocks_by_minilm() -> None:
    assert ALL == (
        "page words", "page meaning", "page sentence",
        "anchor words", "anchor meaning", "anchor sentence",
        "context words", "context meaning",
        "address words", "address meaning", "address sentence",
        "inlinks",
    )  # fmt: skip


@pytest.mark.parametrize("sentences", [False, True])
def test_each_part_is_the_similarity_of_its_text(sentences: bool) -> None:
    """Two parts north and one east are (1, 2): the cosine to east is 1 over root 5."""
    scorer = Scent(evidence_of_east(sentences))
    where = visit("north", title="west")
    (score,) = scorer.score(where, [link("east", "east north north", "north/west.html")])
    found = {part.name: part.value for part in score.parts}
    for each in ("meaning", *["sentence"] * sentences):
        assert found[f"anchor {each}"] == pytest.approx(1.0, abs=1e-6)
        assert found[f"page {each}"] == found[f"address {each}"] == 0.0
    assert found["context meaning"] == pytest.approx(5**-0.5, abs=1e-6)
    # West is near.
    assert found["anchor words"] > found["context words"] > found["page words"] > 0.0
    assert found[INLINKS] == inlink_share(1)
    texts = len(scorer.weights) - 1
    assert {part.weight for part in score.parts} == {1 / texts, INLINKS_WEIGHT}
    assert score.value == pytest.approx(sum(p.value * p.weight for p in score.parts))


def test_links_of_a_page_share_what_they_have_in_common() -> None:
    evidence = evidence_of_east()
    links = [link("east", path="a"), link("tea", path="a"), link("east", path="a")]
    first, second, third = Scent(evidence).score(visit("east"), links)
    assert first is third and first.value > second.value
    assert first.parts[0] == second.parts[0] and first.parts[2] != second.parts[2]
    page, _ = evidence.of_links(WAY.examples[0], [link()])
    assert evidence.relevance(WAY.examples[0]) == pytest.approx(sum(page) / 2)


def taught(scorer: Scent, pages: int = 60) -> Scent:
    """Links whose page is like the topic lead to pages that are; anchors say nothing."""
    rng = random.Random(4)
    for _ in range(pages):
        scorer.observe(followed(scorer.weights, rng, "page", "east wind"))
    return scorer


def test_evidence_that_misleads_loses_weight_and_that_which_says_nothing_keeps_it() -> None:
    scorer = taught(Scent(evidence_of_east(), prior_weight=20.0))
    assert isinstance(scorer, SupportsRevision)
    revision = scorer.revise()
    assert revision is not None and revision.links == 60 and scorer.why_not is None
    weights = revision.weights
    assert min(weights["page words"], weights["page meaning"]) > weights["anchor meaning"]
    (score,) = scorer.score(visit("east"), [link("east")])
    assert scorer.reweighed(Score(0.0, score.parts)) == score
    assert scorer.reweighed(Score(1.0)) == Score(1.0)  # a seed that waits
    firm = taught(Scent(evidence_of_east(), prior_weight=1e9))
    before = dict(firm.weights)  # the scale is learned all the same, and would not change the order
    assert firm.revise() is None and firm.weights == before
    assert firm.why_not == "their proportions did not move."
    # Anchors alone had words of the topic; nobody knows what the others are worth.
    scorer, rng = Scent(evidence_of_east()), random.Random(4)
    for _ in range(60):
        good = rng.random()
        values = {**dict.fromkeys(scorer.weights, 0.0), "anchor words": good}
        parts = tuple(Part(name, value) for name, value in values.items())
        scorer.observe(visit("east wind" if good > 0.5 else "cake tea", parts=parts))
    scorer.revise()
    texts = [weight for name, weight in scorer.weights.items() if name != INLINKS]
    assert min(texts) > 0.1 and max(texts) == scorer.weights["anchor words"]


@pytest.mark.parametrize("minilm", [False, True])
def test_what_was_learned_comes_back_and_a_crawl_that_began_light_stays_so(
    monkeypatch: pytest.MonkeyPatch, minilm: bool
) -> None:
    first, second = (
        taught(Scent(evidence_of_east(), prior_weight=20.0)),
        Scent(evidence_of_east(minilm), prior_weight=20.0),
    )
    first.revise()
    second.restore(first.state())
    assert second.representations == ("words", "meaning") and second.weights == first.weights
    assert second.why_fewer == ("the crawl began so" if minilm else "")
    links = [link("east", "east wind"), link("tea")]
    assert second.score(visit("wind"), links) == first.score(visit("wind"), links)
    for scorer in (first, second):
        taught(scorer)
    assert second.revise() == first.revise()
    if minilm:
        state = Scent(evidence_of_east(sentences=True)).state()
        with pytest.raises(SettingsError, match=r"with sentence vectors \(MiniLM\), .*NEURAL=no\."):
            Scent(evidence_of_east()).restore(state)
        monkeypatch.delenv(NEURAL_VARIABLE)
        with pytest.raises(SettingsError, match=r"available here; .*scenthound\[neural\]'\)\.$"):
            Scent(evidence_of_east()).restore(state)


@pytest.mark.parametrize(
    ("sentences", "there", "language", "names", "fewer"),
    [
        ("auto", False, "en", LIGHT, "the extra neural is not installed"),
        ("no", True, "en", LIGHT, "sentences=no"),
        ("auto", True, "en", ALL, ""),
        ("auto", True, "de", evidence_names(["words"]), "the topic is not in English"),
        ("yes", True, "de", evidence_names(["words", "sentence"]), ""),
    ],
)
def test_what_is_there_is_used(
    monkeypatch: pytest.MonkeyPatch, sentences: str, there: bool, language: str,
    names: tuple[str, ...], fewer: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(module, "is_minilm_there", lambda: there)
    monkeypatch.delenv(NEURAL_VARIABLE, raising=False)
    monkeypatch.setattr(vector_models, "load_bert", lambda *_, **__: Compass())
    given = strategy_context(["storm"], ["storm rain"])
    profile = replace(given.profile, language=language)
    made = scent(replace(given, profile=profile), sentences=sentences)
    assert tuple(made.weights) == names
    assert made.why_fewer.startswith(fewer) and bool(made.why_fewer) == bool(fewer)


def test_a_switch_does_without_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ["no", "Off", " 0", "false"]:
        monkeypatch.setenv(NEURAL_VARIABLE, word)
        made = scent(strategy_context(["storm"], ["storm rain"]))
        assert tuple(made.weights) == LIGHT and made.why_fewer == "SCENTHOUND_NEURAL=no"
