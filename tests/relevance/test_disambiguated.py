"""Models behind a graph: what an ambiguous word counts for on a page and in its links.

The topic is snakes. After the crawl below python is on 3 pages of snakes and on 4 of code, so
TP = 3 / (1 + 4). Venom and scale are clear, and its companions at degree 1/3 each: of the 9 pages
with python or venom, 3 are relevant and hold both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.model import Briefing, Document
from scenthound.lexicon.wordnet import shipped
from scenthound.relevance.disambiguated import DisambiguatedModel
from scenthound.relevance.likeness import Likeness
from scenthound.relevance.model import Form, TopicModel
from scenthound.relevance.svsm import Svsm
from scenthound.relevance.vsm import Cosine
from scenthound.semantics.senses import AllSenses
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.store.state import load_state, save_state
from scenthound.text.analyzer import Analyzer
from scenthound.topics.ambiguity import PopularityCriterion
from scenthound.topics.learning_graph import GraphPlan

EXAMPLES = ("python scale venom", "venom scale", "python venom scale")
CRAWL = (
    "python code", "python list code", "python code software", "python compiler",
    "python venom scale", "venom scale",
)  # fmt: skip
PAPERS = GraphPlan()
OURS = GraphPlan(results=None, criterion=PopularityCriterion(), rule="evidence")
SENSES = AllSenses(TaxonomySimilarity(shipped().nouns))
FORMS = pytest.mark.parametrize("form", ["svsm", "cosine"])


def page(text: str) -> Document:
    return Document(text=text)


def briefing(keywords: Sequence[str], examples: Sequence[str]) -> Briefing:
    return Briefing("snakes", tuple(keywords), tuple(map(page, examples)))


SNAKES = briefing(["python"], EXAMPLES)


def form_of(name: str, analyzer: Analyzer) -> Form:
    return Cosine() if name == "cosine" else Svsm(Likeness(SENSES, analyzer.vocabulary))


def model(
    form: str = "cosine",
    plan: GraphPlan = PAPERS,
    topic: Briefing = SNAKES,
    links_too: bool = True,
    crawl: Sequence[str] = CRAWL,
    met_before: str = "",
) -> DisambiguatedModel:
    """A model that has learnt from a crawl."""
    analyzer = Analyzer()
    analyzer.bag(met_before)
    made = DisambiguatedModel(
        topic, analyzer, form_of(form, analyzer), plan, links_too=links_too, seed=5
    )
    for text in crawl:
        made.learn(page(text))
    return made


def plain(form: str, *texts: str) -> list[float]:
    """What a model without a graph says of texts after the same crawl."""
    analyzer = Analyzer()
    made = TopicModel(SNAKES, analyzer, form_of(form, analyzer))
    for text in CRAWL:
        made.learn(page(text))
    return made.similarities(texts, Document())


def graph(of: DisambiguatedModel) -> dict[str, dict[str, float]]:
    """From the saved state: the indicator TP of each term, and whether it is ambiguous."""
    learning = of.state()["graph"]
    assert isinstance(learning, dict) and isinstance(learning["graph"], dict)
    names, indicators = learning["graph"]["names"], learning["graph"]["indicators"]
    flags = learning["graph"]["ambiguous"]
    assert isinstance(names, list)
    assert isinstance(indicators, np.ndarray) and isinstance(flags, np.ndarray)
    words = [str(name) for name in names]
    popularity = dict(zip(words, indicators[:, 1].tolist(), strict=True))
    return {"tp": popularity, "ambiguous": dict(zip(words, flags.tolist(), strict=True))}


@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_the_graph_behind_the_model(plan: GraphPlan) -> None:
    found = graph(model(plan=plan))
    assert found["tp"]["python"] == pytest.approx(3 / 5)
    assert found["ambiguous"] == {"python": True, "venom": False, "scale": False}


@FORMS
@pytest.mark.parametrize("plan", [PAPERS, OURS])
@pytest.mark.parametrize("links_too", [True, False])
def test_without_its_companions_the_word_is_cut_out_of_the_page(
    form: str, plan: GraphPlan, links_too: bool
) -> None:
    """Eq. 20; on a page of code python is another python."""
    code = page("python python code software")
    (found,) = model(form, plan, links_too=links_too).similarities([code.full], code)
    cut_out, whole = plain(form, "code software", code.full)
    assert found == pytest.approx(cut_out)
    assert found != pytest.approx(whole)


@FORMS
@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_with_all_its_companions_the_word_counts_in_full(form: str, plan: GraphPlan) -> None:
    snakes = page("python venom scale code")
    found = model(form, plan).similarities([snakes.full, "python code"], snakes)
    assert found == pytest.approx(plain(form, snakes.full, "python code"))


@FORMS
def test_with_one_of_two_companions(form: str) -> None:
    """As strong as the other: enough for the paper, half the evidence for ours."""
    half = page("python python scale code")
    (papers,) = model(form, PAPERS).similarities([half.full], half)
    (ours,) = model(form, OURS).similarities([half.full], half)
    expected = plain(form, half.full, "python scale code")
    assert [papers, ours] == pytest.approx(expected)
    assert expected[0] != pytest.approx(expected[1])


@FORMS
@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_links_are_read_as_their_page_is_or_as_they_stand(form: str, plan: GraphPlan) -> None:
    code = page("python code")
    anchors = ["python", "python list", "venom", "python venom scale", ""]
    as_page, as_they_stand = (
        model(form, plan, links_too=too).similarities([code.full, *anchors], code)
        for too in (True, False)
    )
    assert as_they_stand[1:] == pytest.approx(plain(form, *anchors))
    assert as_page[1:] == pytest.approx(plain(form, "", "list", "venom", "venom scale", ""))
    assert as_page[0] == as_they_stand[0] == pytest.approx(plain(form, "code")[0])


@FORMS
@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_pages_and_texts_without_terms(form: str, plan: GraphPlan) -> None:
    """A page that says nothing says nothing against python."""
    blank = Document()
    made = model(form, plan, crawl=("", *CRAWL, "the of"))
    assert made.similarities(["", "the of", blank.full], blank) == [0.0, 0.0, 0.0]
    assert made.similarities(["python"], blank)[0] > 0.0
    assert made.similarities([], page("python code")) == []


@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_a_topic_without_terms_is_like_nothing(plan: GraphPlan) -> None:
    made = model(plan=plan, topic=briefing([], ["", "the"]))
    assert made.similarities(["python", ""], page("python code")) == [0.0, 0.0]


def test_one_example_draws_the_line_at_its_own_similarity() -> None:
    """The same page again is relevant, a little less of it is not: TP = (1 + 1) / (1 + 1)."""
    one = briefing([], ["python venom"])
    popularity = graph(model(topic=one, crawl=["python venom", "python venom cake"]))["tp"]
    assert popularity == pytest.approx({"python": 1.0, "venom": 1.0})
    assert graph(model(topic=one, crawl=["python venom"]))["tp"]["python"] == 2.0
    assert graph(model(topic=one, crawl=["python venom cake"]))["tp"]["python"] == 0.5


def test_of_two_examples_the_line_is_5_percent_of_the_way_up() -> None:
    """The more similar one again is relevant, the less similar one again is not."""
    two = briefing(["python"], ["python venom", "venom cake bread tea sugar"])
    popularity = graph(model(topic=two, crawl=["python venom"]))["tp"]
    assert popularity["python"] == 2.0
    popularity = graph(model(topic=two, crawl=["venom cake bread tea sugar"]))["tp"]
    assert popularity["venom"] == pytest.approx(2 / 2)


def test_without_examples_the_line_is_the_default() -> None:
    """Python and 3 other words are far above 0.1, python and 300 are below 1 / sqrt(301)."""
    many = " ".join(f"word{n}" for n in range(300))
    keyword = briefing(["python"], [])
    for text, popularity in (("python cake bread tea", 1.0), (f"python {many}", 0.0)):
        assert graph(model(topic=keyword, crawl=[text]))["tp"] == {"python": popularity}


@FORMS
@pytest.mark.parametrize("plan", [PAPERS, OURS])
def test_a_restored_model_answers_like_the_saved_one(
    form: str, plan: GraphPlan, tmp_path: Path
) -> None:
    """Also where words have other numbers, and on the pages that come next."""
    saved = model(form, plan)
    restored = model(form, plan, crawl=(), met_before="compiler scale list code venom")
    save_state(saved.state(), tmp_path / "state.npz")
    restored.restore(load_state(tmp_path / "state.npz"))
    assert graph(restored) == graph(saved)
    for text in ("python code", "python scale", "venom list", "python venom scale code", ""):
        here = page(text)
        texts = [here.full, "python", "scale code", ""]
        expected = pytest.approx(saved.similarities(texts, here), abs=1e-12)
        assert restored.similarities(texts, here) == expected
        for each in (saved, restored):
            each.learn(here)
        assert graph(restored) == graph(saved)
