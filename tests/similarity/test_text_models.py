"""Models behind a graph: what an ambiguous word counts for on a page and in its links.

The topic is snakes. After the crawl below python is on 3 pages of snakes and on 4 of code, so
TP = 3 / (1 + 4). Venom and scale are clear, and its companions at degree 1/3 each: of the 9 pages
with python or venom, 3 are relevant and hold both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.core.protocols import State
from scenthound.papers.ambiguity import PopularityCriterion
from scenthound.papers.sdvsm import DisambiguatedModel, GraphPlan
from scenthound.similarity.encoders import Vectors
from scenthound.similarity.text_models import (
    Cosine,
    Form,
    SoftSvsm,
    Ssrm,
    Svsm,
    TopicModel,
    VectorModel,
    cosines,
)
from scenthound.similarity.training import PretrainedSource, RetrainedModel
from scenthound.similarity.vector_similarity import ContextualSimilarity, VectorSimilarity
from scenthound.similarity.word_similarity import LexiconSimilarityTable, TaxonomySimilarity
from scenthound.storage.state import load_state, save_state
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Vocabulary
from scenthound.text.wordnet_files import shipped
from similarity.fixed_similarity import (
    SIMILARITIES,
    TEXTS,
    TOPICS,
    FixedSimilarity,
    Vector,
    similarities,
    slow_soft_svsm,
    slow_ssrm,
    slow_svsm,
    texts,
)
from similarity.fixed_vectors import FixedReader, FixedWords

EXAMPLES = ("python scale venom", "venom scale", "python venom scale")
CRAWL = (
    "python code", "python list code", "python code software", "python compiler",
    "python venom scale", "venom scale",
)  # fmt: skip
PAPERS = GraphPlan()
OURS = GraphPlan(results=None, criterion=PopularityCriterion(), rule="evidence")
SENSES = TaxonomySimilarity(shipped().nouns)
PLANS = pytest.mark.parametrize("plan", [PAPERS, OURS])


def page(text: str) -> Document:
    return Document(text=text)


def profile(keywords: Sequence[str], examples: Sequence[str]) -> TopicProfile:
    return TopicProfile("snakes", tuple(keywords), tuple(map(page, examples)))


SNAKES = profile(["python"], EXAMPLES)


def form_of(name: str, analyzer: Analyzer) -> Form:
    table = LexiconSimilarityTable(SENSES, analyzer.vocabulary)
    return Cosine() if name == "cosine" else Svsm(table)


def model(
    form: str = "cosine",
    plan: GraphPlan = PAPERS,
    topic: TopicProfile = SNAKES,
    links_too: bool = True,
    crawl: Sequence[str] = CRAWL,
    met_before: str = "",
) -> DisambiguatedModel:
    """A model that has learned from a crawl."""
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
    names, indicators = learning["graph"]["names"], learning["graph"]["indicators"]
    flags = learning["graph"]["ambiguous"]
    popularity = dict(zip(names, indicators[:, 1].tolist(), strict=True))
    return {"tp": popularity, "ambiguous": dict(zip(names, flags.tolist(), strict=True))}


@PLANS
def test_without_its_companions_the_word_is_cut_out_of_the_page(plan: GraphPlan) -> None:
    """Eq. 20; on a page of code python is another python."""
    code = page("python python code software")
    (found,) = model("svsm", plan).similarities([code.full], code)
    cut_out, whole = plain("svsm", "code software", code.full)
    assert found == pytest.approx(cut_out)
    assert found != pytest.approx(whole)


@PLANS
def test_with_all_its_companions_the_word_counts_in_full(plan: GraphPlan) -> None:
    snakes = page("python venom scale code")
    found = model("svsm", plan).similarities([snakes.full, "python code"], snakes)
    assert found == pytest.approx(plain("svsm", snakes.full, "python code"))


def test_with_one_of_two_companions() -> None:
    """As strong as the other: enough for the paper, half the evidence for ours."""
    half = page("python python scale code")
    (papers,) = model("svsm", PAPERS).similarities([half.full], half)
    (ours,) = model("svsm", OURS).similarities([half.full], half)
    expected = plain("svsm", half.full, "python scale code")
    assert [papers, ours] == pytest.approx(expected)
    assert expected[0] != pytest.approx(expected[1])


@PLANS
def test_links_are_read_as_their_page_is_or_as_they_stand(plan: GraphPlan) -> None:
    code = page("python code")
    anchors = ["python", "python list", "venom", "python venom scale", ""]
    as_page, as_they_stand = (
        model("svsm", plan, links_too=too).similarities([code.full, *anchors], code)
        for too in (True, False)
    )
    assert as_they_stand[1:] == pytest.approx(plain("svsm", *anchors))
    assert as_page[1:] == pytest.approx(plain("svsm", "", "list", "venom", "venom scale", ""))
    assert as_page[0] == as_they_stand[0] == pytest.approx(plain("svsm", "code")[0])


@PLANS
def test_pages_and_texts_without_terms(plan: GraphPlan) -> None:
    """A page that says nothing says nothing against python."""
    blank = Document()
    made = model("svsm", plan, crawl=("", *CRAWL, "the of"))
    assert made.similarities(["", "the of", blank.full], blank) == [0.0, 0.0, 0.0]
    assert made.similarities(["python"], blank)[0] > 0.0
    assert made.similarities([], page("python code")) == []


def test_one_example_draws_the_line_at_its_own_similarity() -> None:
    """The same page again is relevant, a little less of it is not: TP = (1 + 1) / (1 + 1)."""
    one = profile([], ["python venom"])
    popularity = graph(model(topic=one, crawl=["python venom", "python venom cake"]))["tp"]
    assert popularity == pytest.approx({"python": 1.0, "venom": 1.0})
    assert graph(model(topic=one, crawl=["python venom"]))["tp"]["python"] == 2.0
    assert graph(model(topic=one, crawl=["python venom cake"]))["tp"]["python"] == 0.5
    # Python and 3 other words are far above 0.1, python and 300 are below 1 / sqrt(301).
    many = " ".join(f"word{n}" for n in range(300))
    keyword = profile(["python"], [])
    for text, expected in (("python cake bread tea", 1.0), (f"python {many}", 0.0)):
        assert graph(model(topic=keyword, crawl=[text]))["tp"] == {"python": expected}


@pytest.mark.parametrize("plan", [PAPERS, OURS, GraphPlan(results=2)])
def test_a_restored_model_answers_like_the_saved_one(plan: GraphPlan, tmp_path: Path) -> None:
    """Also where words have other numbers, and on the pages that come next."""
    saved = model("svsm", plan)
    restored = model("svsm", plan, crawl=(), met_before="compiler scale list code venom")
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


# Soft SVSM against its double sum, and that it has not the flaw of SVSM.


def soft(
    texts: list[Vector],
    columns: list[Vector],
    fixed: FixedSimilarity,
    floor: float = 0.0,
    power: float = 1.0,
) -> list[float]:
    vocabulary = Vocabulary()
    form = SoftSvsm(fixed.table(vocabulary, floor, power))
    return similarities(form, texts, columns, vocabulary)


def test_by_hand() -> None:
    """w = (3, 4), s = 0.9 and 0.5: 3 * 0.9^4 / 5 = 0.39366, the other is below the floor.

    With a second topic term, 0.8 to the first: norm sqrt(1 + 1 + 2 * 0.8^4) = 1.679047.
    """
    fixed = FixedSimilarity(pairs={"ac": 0.9, "bc": 0.5, "cd": 0.8})
    texts: list[Vector] = [{"a": 3.0, "b": 4.0}]
    (one,) = soft(texts, [{"c": 2.0}], fixed, floor=0.6, power=4.0)
    (two,) = soft(texts, [{"c": 1.0, "d": 1.0}], fixed, floor=0.6, power=4.0)
    assert one == pytest.approx(0.39366, abs=1e-6)
    assert two == pytest.approx(0.39366 / 1.679047, abs=1e-6)


def test_synonyms_that_would_reach_the_root_of_their_number_are_cut_off_at_1() -> None:
    for k in [2, 5]:
        fixed = FixedSimilarity(pairs={f"a{word}": 1.0 for word in "bcdef"})
        text = dict.fromkeys("bcdef"[:k], 1.0)
        assert soft([text], [{"a": 1.0}], fixed) == [1.0]
        (half,) = soft([{**text, "x": math.sqrt(3 * k)}], [{"a": 1.0}], fixed)
        assert half == pytest.approx(min(1.0, math.sqrt(k) / 2))


# SVSM against the double sum it is printed as, the papers' figures, and its known flaw.


def svsm(texts: list[Vector], columns: list[Vector], fixed: FixedSimilarity) -> list[float]:
    vocabulary = Vocabulary()
    return similarities(Svsm(fixed.table(vocabulary)), texts, columns, vocabulary)


def test_figures_2_of_svsm_mcoa_and_of_bsvsm_ha() -> None:
    """Eq. 4; the own 0.92 of bsvsm-ha takes the first row of s for the second word."""
    rows = {"a": (0.99, 0.72, 0.72), "b": (0.80, 0.61, 0.61)}
    pairs = {i + j: s for i, row in rows.items() for j, s in zip("cde", row, strict=True)}
    topic = {"c": 0.119, "d": 0.106, "e": 0.196}
    (found,) = svsm([{"a": 1.493, "b": 1.182}], [topic], FixedSimilarity(pairs=pairs))
    assert found == pytest.approx(0.9598, abs=5e-5)
    # Eq. 4; the figure's own 0.92 takes the first row of s for the second word.
    pairs = {"ac": 0.85, "ad": 0.40, "bc": 0.99, "bd": 0.84}
    (found,) = svsm(
        [{"a": 0.32, "b": 1.18}], [{"c": 0.84, "d": 0.52}], FixedSimilarity(pairs=pairs)
    )
    assert found == pytest.approx(0.869, abs=5e-4)
    # One word, one topic term: whatever their similarity, it cancels.
    fixed = FixedSimilarity(pairs={"ab": 0.07, "ac": 1.0})
    assert svsm([{"b": 1.0}, {"c": 1.0}], [{"a": 1.0}], fixed) == pytest.approx([1.0, 1.0])


# SVSM over vectors of words: the printed example, pages, training and resuming.

TOPIC = TopicProfile("rivers", ("river",), ())
VECTORS = {"river": (1.0, 0.0), "stream": (1.0, 1.0), "money": (0.0, 1.0), "bank": (0.0, 0.0)}


def test_words_that_mean_the_same_everywhere() -> None:
    """One topic term and one word: SVSM is 1 whatever their similarity; soft SVSM is s^power."""
    analyzer = Analyzer()
    words = (PretrainedSource(FixedWords(VECTORS)), VectorSimilarity)
    plain = VectorModel(TOPIC, analyzer, Svsm, *words)
    soft = VectorModel(TOPIC, analyzer, SoftSvsm, *words, floor=0.5, power=2.0)
    page = Document()
    assert plain.similarities(["stream", "money", ""], page) == pytest.approx([1.0, 0.0, 0.0])
    assert soft.similarities(["stream", "river"], page) == pytest.approx([0.5, 1.0], abs=1e-3)


def test_words_that_mean_what_the_page_makes_of_them() -> None:
    """Bank alone has no vector; after river it gets the half of river's, after money of money's."""
    analyzer = Analyzer()
    topic = TopicProfile("banks", ("river bank",), ())
    model = VectorModel(
        topic,
        analyzer,
        SoftSvsm,
        PretrainedSource(FixedReader(VECTORS)),
        lambda model: ContextualSimilarity(model, topic, analyzer),
    )
    wet, dry = Document(text="river bank"), Document(text="money bank")
    for _ in range(2):  # whatever page was read before
        assert model.similarities(["bank"], wet)[0] > 0.5
        assert model.similarities(["bank"], dry) == [0.0]


class Counting:
    """A training that notes how many passages it saw: its only word grows more like a river."""

    name = "counting"
    dimensions = 2

    def __init__(self, passages: int) -> None:
        self.passages = passages

    def look_up(self, words: Sequence[str]) -> Vectors:
        vectors = {"river": (1.0, 0.0), "stream": (float(self.passages), 1.0)}
        return np.array([vectors.get(word, (0.0, 0.0)) for word in words], np.float32)

    def state(self) -> State:
        return {"passages": self.passages}


def trained_model(trainings: list[int]) -> VectorModel:
    def train(passages: object, seed: int) -> Counting:
        assert isinstance(passages, list)
        trainings.append(len(passages))
        return Counting(len(passages))

    def rebuild(state: State) -> Counting:
        return Counting(state["passages"])

    source = RetrainedModel(
        train, rebuild, [[["river"]]], every=2, passages=lambda page: [page.text.split()]
    )
    return VectorModel(TOPIC, Analyzer(), SoftSvsm, source, VectorSimilarity)


def test_a_model_that_is_trained_again_compares_again() -> None:
    """Stream is (1, 1) after one passage, and (3, 1) after three."""
    trainings: list[int] = []
    model = trained_model(trainings)
    assert model.similarities(["stream"], Document()) == pytest.approx([2**-0.5], abs=1e-3)
    for text in ("one page", "another page"):
        model.learn(Document(text=text))
    assert model.similarities(["stream"], Document()) == pytest.approx([3 / 10**0.5], abs=1e-3)
    assert trainings == [1, 3]


def test_a_resumed_model_answers_alike_and_trains_nothing() -> None:
    model = trained_model([])
    for text in ("one page", "another page", "a third"):
        model.learn(Document(text=text))
    trainings: list[int] = []
    resumed = trained_model(trainings)
    resumed.restore(model.state())
    texts = ["stream", "river stream", "page"]
    assert resumed.similarities(texts, Document()) == model.similarities(texts, Document())
    assert trainings == []


def test_a_crawl_does_not_go_on_with_another_model() -> None:
    class Other(FixedWords):
        name = "other"

    def with_words(words: FixedWords) -> VectorModel:
        source = PretrainedSource(words)
        return VectorModel(TOPIC, Analyzer(), SoftSvsm, source, VectorSimilarity)

    state = with_words(FixedWords(VECTORS)).state()
    with_words(FixedWords(VECTORS)).restore(state)
    with pytest.raises(SettingsError, match="began with another model, told, than"):
        with_words(Other(VECTORS)).restore(state)


# SSRM against the double sum it is printed as.


def ssrm(
    texts: list[Vector], columns: list[Vector], fixed: FixedSimilarity, floor: float = 0.0
) -> list[float]:
    vocabulary = Vocabulary()
    form = Ssrm(fixed.table(vocabulary, floor))
    return similarities(form, texts, columns, vocabulary)


def test_ssrm_by_hand() -> None:
    """w = (1, 3), t = (1, 1), s = ((1, 0.5), (0.5, 0)): (1 + 0.5 + 3 * 0.5) / (4 * 2) = 3 / 8."""
    fixed = FixedSimilarity(pairs={"ad": 0.5, "ba": 0.5})
    assert ssrm([{"a": 1.0, "b": 3.0}], [{"a": 1.0, "d": 1.0}], fixed) == [0.375]


@given(TEXTS, TOPICS, SIMILARITIES, st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0.5, 4.0]))
def test_the_fast_forms_are_the_printed_ones_the_highest_over_the_columns(
    texts: list[Vector], columns: list[Vector], fixed: FixedSimilarity, floor: float, power: float
) -> None:
    """SSRM, SVSM and soft SVSM; a text, a topic or a lexicon may be empty."""

    def highest(slow: Callable[[Vector, Vector], float]) -> list[float]:
        return [max(slow(text, column) for column in columns) for text in texts]

    for fast, printed in (
        (ssrm(texts, columns, fixed, floor), highest(lambda w, t: slow_ssrm(w, t, fixed, floor))),
        (svsm(texts, columns, fixed), highest(lambda w, t: slow_svsm(w, t, fixed))),
        (
            soft(texts, columns, fixed, floor, power),
            highest(lambda w, t: slow_soft_svsm(w, t, fixed, floor, power)),
        ),
    ):
        assert fast == pytest.approx(printed, abs=1e-6)
        assert all(0.0 <= value <= 1.0 for value in fast)


# Cosines against a slow reference, and the vector space model on a few words.

TERMS = st.sampled_from("abcdefghij")
WEIGHTED_TERMS = st.dictionaries(TERMS, st.floats(1e-3, 1e3), max_size=8)
NO_PAGE = Document()


def naive(first: Vector, second: Vector) -> float:
    """As the formula is printed, over all terms of either."""
    terms = sorted(set(first) | set(second))
    x = [first.get(t, 0.0) for t in terms]
    y = [second.get(t, 0.0) for t in terms]
    lengths = math.sqrt(math.fsum(v * v for v in x)) * math.sqrt(math.fsum(v * v for v in y))
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths else 0.0


@given(st.lists(WEIGHTED_TERMS, max_size=4), st.lists(WEIGHTED_TERMS, min_size=1, max_size=3))
def test_each_text_has_its_highest_cosine_over_the_columns(
    of_texts: list[Vector], columns: list[Vector]
) -> None:
    expected = [max(naive(text, column) for column in columns) for text in of_texts]
    found = similarities(Cosine(), of_texts, columns, Vocabulary())
    assert found == pytest.approx(expected, abs=1e-9)


def test_cosine_by_hand() -> None:
    """sdvsm Fig. 5 as a plain cosine."""
    page = dict(zip("abcdef", (0.18, 0.13, 0.3, 0.24, 0.15, 0.03), strict=True))
    topic = np.array([0.26, 0.16, 0.6, 0.52, 0.28, 0.19])
    bags, weights = texts([page], Vocabulary())
    (found,) = cosines(bags, weights, topic, float(np.linalg.norm(topic)))
    assert found == pytest.approx(0.9777, abs=5e-5)


def vsm_model(*keywords: str, examples: tuple[str, ...] = (), by: str = "merged") -> TopicModel:
    pages = tuple(Document(text=text) for text in examples)
    return TopicModel(TopicProfile("t", keywords, pages), Analyzer(), Cosine(), by=by)


def similarity(of: TopicModel, text: str) -> float:
    (found,) = of.similarities([text], NO_PAGE)
    return found


COUNTS = st.dictionaries(st.sampled_from("storm flood rain cake".split()), st.integers(1, 5))


@given(COUNTS, COUNTS, st.lists(COUNTS, max_size=4))
def test_similarity_equals_the_naive_one(
    text: dict[str, int], example: dict[str, int], learned: list[dict[str, int]]
) -> None:
    """The reference has the factor 1 / f_max of Eq. 9, which must cancel."""

    def written(counts: dict[str, int]) -> str:
        return " | ".join(word for word, n in counts.items() for _ in range(n))

    def weights(counts: dict[str, int]) -> Vector:
        highest = max(counts.values(), default=1)
        return {t: n / highest * idf(t) for t, n in counts.items()}

    def idf(term: str) -> float:
        pages = [example, *learned]
        return math.log((len(pages) + 1) / (sum(term in page for page in pages) + 1)) + 1

    vsm = vsm_model(examples=(written(example),))
    for counts in learned:
        vsm.learn(Document(text=written(counts)))
    expected = naive(weights(text), weights(example))
    assert similarity(vsm, written(text)) == pytest.approx(expected, abs=1e-9)


def test_by_pages_a_text_is_as_similar_as_to_the_nearest_page() -> None:
    """Two pages that share no word: a text of one of them is 1, merged it is 1 / sqrt 2."""
    pages = ("storm", "cake")
    assert similarity(vsm_model(examples=pages, by="pages"), "cake") == pytest.approx(1.0)
    assert similarity(vsm_model(examples=pages), "cake") == pytest.approx(1 / math.sqrt(2))


def test_restored_model_answers_and_learns_like_the_saved_one() -> None:
    for by in ["merged", "pages"]:
        saved = vsm_model("storm", examples=("storm flood",), by=by)
        for n in range(25):
            saved.learn(Document(text=f"storm rain word{n}"))
        restored = vsm_model("storm", examples=("storm flood",), by=by)
        restored.restore(saved.state())
        for n in range(5):
            assert similarity(restored, "rain flood word3") == similarity(saved, "rain flood word3")
            for each in (saved, restored):
                each.learn(Document(text=f"flood more{n}"))
