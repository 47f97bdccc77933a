"""Text models by vectors, as strategies build them: from files, from the crawl, tiny and real."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.core.errors import InputError, OntologyError, ScenthoundWarning, SettingsError
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.core.parameters import Value
from scenthound.papers.olmoaco.objectives import PriorityScorer
from scenthound.papers.olmoaco.topic_ontology import (
    OntologyModel,
    check_topic_ontology,
    read_topic_ontology,
    topic_weights,
    with_topic_concept,
)
from scenthound.papers.ontologies.model import Concept, Kind, Ontology, Relation
from scenthound.similarity.encoders import ModelRuntime
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_model_builders import TEXT_MODELS, five_factors
from scenthound.strategies.vector_models import absolute_paths
from scenthound.text.analyzer import Analyzer
from similarity.elmo_published import TINY, random_weights, write_published
from strategies.scoring import strategy_context

PAGE = Document(text="a hurricane and a cake")


def test_word2vec_reads_a_file_or_is_trained_on_pages_if_they_have_enough_text(
    tmp_path: Path, warned: list[str]
) -> None:
    """Hurricane is 4 / sqrt(17) like a storm; soft SVSM of one word is that, cake's is 0."""
    glove = str(tmp_path / "glove.txt")
    Path(glove).write_text("storm 1 0\nhurricane 4 1\ncake 0 1\nbread -1 0\n")
    model = TEXT_MODELS["word2vec"].model(strategy_context(), {"vectors": glove, "form": "soft"})
    found = model.similarities(["hurricane", "cake", "bread", "storm"], PAGE)
    assert found == pytest.approx([4 / 17**0.5, 0.0, 0.0, 1.0], abs=1e-3)
    assert warned == []
    TEXT_MODELS["word2vec"].model(strategy_context(["ocean", "storm", "tide"]), {"vectors": glove})
    (message,) = warned
    assert "has vectors of 1 of the 3 terms of the topic" in message
    # Wind and sail stand together, and so do oven and dough: what has no example is not learned.
    sea, bakery = "storm wind sail boat wave ", "oven dough flour sugar cake "
    given = strategy_context(examples=[sea * 40, bakery * 40])
    model = TEXT_MODELS["word2vec"].model(given, {"form": "soft", "terms": 1})
    wind, dough, unknown = model.similarities(["wind", "dough", "zzz"], PAGE)
    assert wind > dough >= 0.0
    assert unknown == 0.0
    for name in ("word2vec", "elmo"):
        model = TEXT_MODELS[name].model(strategy_context(["storm"]), {})
        assert model.similarities(["storm", "cake"], PAGE) == pytest.approx([1.0, 0.0])
        assert any("words are compared as they are written" in message for message in warned)
        warned.clear()


def test_paths_are_kept_whole_and_names_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    given: dict[str, Value] = {"model": "m", "vectors": "no/such", "topic": "m", "lead": 3}
    assert absolute_paths(given) == {**given, "model": str(tmp_path / "m")}


def test_elmo_reads_published_files(tmp_path: Path) -> None:
    options, weights = write_published(tmp_path, TINY, random_weights(TINY))
    files: dict[str, Value] = {"options": str(options), "weights": str(weights), "form": "soft"}
    for context in (True, False):
        given = {**files, "context": context}
        model = TEXT_MODELS["elmo"].model(strategy_context(["cake"]), given)
        found = model.similarities(["cake", "hurricane", ""], PAGE)
        assert found[2] == 0.0 and all(0.0 <= value <= 1.0 for value in found)
    assert found[0] == pytest.approx(1.0, abs=1e-3)
    with pytest.raises(SettingsError, match="give both options and weights"):
        TEXT_MODELS["elmo"].model(strategy_context(), {"options": str(options)})


def test_bert_alone_knows_a_word_again_and_in_company_it_may_not() -> None:
    alone, company = (
        TEXT_MODELS["bsvsm"].model(strategy_context(["water"]), {"form": "soft", **settings})
        for settings in ({"context": False}, {})
    )
    assert alone.similarities(["water"], PAGE) == pytest.approx([1.0], abs=1e-3)
    page = Document(text="the old fox and the water of the moon")
    (found,) = company.similarities(["water"], page)
    assert 0.0 < found < 1.0 - 1e-3


def test_a_crawl_is_the_same_with_a_cache_and_without() -> None:
    class Dictionary:
        def __init__(self) -> None:
            self.kept: dict[tuple[str, bytes], object] = {}

        def find(self, model, keys):  # type: ignore[no-untyped-def]
            return {key: self.kept[model, key] for key in keys if (model, key) in self.kept}

        def keep(self, model, found):  # type: ignore[no-untyped-def]
            self.kept |= {(model, key): array for key, array in found.items()}

    cache = Dictionary()
    for name, parameters in (("sentences", {}), ("bsvsm", {}), ("bsvsm", {"context": False})):
        answers = []
        for equipment in (ModelRuntime(), ModelRuntime(cache), ModelRuntime(cache)):
            given = replace(strategy_context(["dog"], ["fox and wolf"]), equipment=equipment)
            model = TEXT_MODELS[name].model(given, parameters)
            answers.append(model.similarities(["old dog", "river"], Document(text="a dog, a bank")))
        assert answers[0] == answers[1] == answers[2]
    assert cache.kept


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    extras = ("torch", "transformers", "gensim", "sklearn", "efficient_apriori", "h5py")
    for module in extras:
        monkeypatch.setitem(sys.modules, module, None)
    for name, spec in TEXT_MODELS.items():
        if spec.extra:
            with pytest.raises(InputError) as caught:
                spec.model(strategy_context(), {})
            assert f"pip install 'scenthound[{spec.extra}]'" in str(caught.value)
            assert name in str(caught.value) and "\n" not in str(caught.value)
    model = TEXT_MODELS["sentences-light"].model(strategy_context(["storm"]), {})
    storm, cake = model.similarities(["a heavy hurricane", "a chocolate cake"], PAGE)
    assert storm > cake >= 0.0


# Text models over an ontology: where it comes from, what is said of a poor one, what is saved.

PAGES = (
    "The typhoon is a storm. The typhoon brings heavy rain and a storm surge to the coast.",
    "A storm surge follows the typhoon. The storm surge floods the coast after heavy rain.",
    "Heavy rain and the flood: the typhoon moved along the coast, and the storm surge came.",
)


def profile(
    keywords: Sequence[str] = ("typhoon",),
    examples: Sequence[str] = (),
    ontology: Path | None = None,
    language: str = "en",
) -> TopicProfile:
    documents = tuple(Document(text=text) for text in examples)
    path = None if ontology is None else str(ontology)
    return TopicProfile("t", tuple(keywords), documents, language, path)


def scorer(
    given: TopicProfile, name: str = "best-first-ontology", **parameters: int
) -> PriorityScorer:
    strategy_context = StrategyContext(given, Analyzer(given.language), random.Random(0))
    made = CATALOGUE[name].build(strategy_context, parameters).scorer
    assert isinstance(made, PriorityScorer)
    return made


def named_ontology(path: Path) -> Ontology:
    found = read_topic_ontology(profile(ontology=path))
    assert found is not None
    return found


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    path = tmp_path / "storms.txt"
    path.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    return path


def test_weights_are_similarities_to_the_topic_of_the_ontology_that_it_names(
    storms: Path, tmp_path: Path
) -> None:
    ontology = named_ontology(storms)
    found = topic_weights(ontology)
    assert set(found) == {"storm", "typhoon", "flood"}
    assert found["storm"] == 1.0 and 0.0 < found["flood"] < 1.0
    distance, relation = (five_factors(text) for text in ("1 0 0 0 0", "0 0 0 0 1"))
    assert topic_weights(ontology, distance)["typhoon"] == pytest.approx(0.5)  # 1 / (1 + 1)
    assert topic_weights(ontology, relation)["typhoon"] == pytest.approx(1 / 3)  # is-a
    assert topic_weights(ontology, relation)["flood"] == pytest.approx(0.5)  # induced-by
    with pytest.raises(OntologyError, match="does not say what it is about"):
        topic_weights(Ontology("o", (Concept("a"),), ()))
    for text in ["", "1", "a b c d e", "1 1 1 1 1", "2 -1 0 0 0", "nan 0 0 0 1"]:
        with pytest.raises(SettingsError):
            five_factors(text)
    named = named_ontology(storms)
    assert named.labels == ("storm", "typhoon", "flood") and named.topic == "storm"
    assert read_topic_ontology(profile()) is None
    check_topic_ontology(Topic("t", ("storm",), ontology=str(storms)))
    check_topic_ontology(Topic("t", ("storm",)))
    with pytest.raises(OntologyError, match=r"nowhere\.owl"):
        check_topic_ontology(Topic("t", ("storm",), ontology=str(tmp_path / "nowhere.owl")))
    # The topic concept is the one that the words of the topic name, or the most are below.
    concepts = tuple(map(Concept, ("weather", "typhoon", "rain", "tea")))
    relations = (Relation("typhoon", "weather", Kind.IS_A), Relation("rain", "weather", Kind.IS_A))
    plain = Ontology("o", concepts, relations)
    assert with_topic_concept(plain, profile()).topic == "typhoon"
    assert with_topic_concept(plain, replace(profile(), name="rain")).topic == "rain"
    assert with_topic_concept(plain, profile(["cake"])).topic == "weather"
    printed = Ontology("o", concepts, relations, "tea")
    assert with_topic_concept(printed, profile()).topic == "tea"


def test_an_ontology_is_learned_when_it_is_needed_and_one_that_does_not_fit_is_reported(
    storms: Path,
) -> None:
    made = scorer(profile(examples=PAGES), concepts=10)
    assert made.state() == {}
    made.prepare()
    assert made.state()["labels"]
    for few, examples in (("no", ()), ("one", PAGES[:1])):
        words = f"learned from {few} example page .*your own file"
        with pytest.warns(ScenthoundWarning, match=words):
            scorer(profile(examples=examples)).prepare()
    with pytest.warns(ScenthoundWarning, match="is named on an example page; is it about this"):
        scorer(profile(examples=["Cake and tea."], ontology=storms)).prepare()
    scorer(profile(examples=["A flood."], ontology=storms)).prepare()
    model = OntologyModel(profile(ontology=storms), Analyzer())
    for number in range(19):
        model.learn(Document(text=f"cake {number}"))
    with pytest.warns(ScenthoundWarning, match="none of the first 20 pages names a concept"):
        model.learn(Document(text="cake"))
    model.learn(Document(text="more cake"))


@pytest.mark.parametrize(
    ("language", "keywords", "text"),
    [
        ("de", ["Überschwemmung"], "Die Überschwemmung kam mit dem Sturm. Der Sturm war stark."),
        ("zh", ["台风"], "台风带来暴雨。台风登陆。暴雨成灾。"),
        ("ja", ["台風"], "台風が上陸した。台風の大雨。"),
    ],
)
def test_topics_in_other_languages(
    language: str, keywords: list[str], text: str, warned: list[str]
) -> None:
    given = profile(keywords, [text, text], language=language)
    made = scorer(given)
    made.prepare()
    about, other = Document(text=text), Document(text="Tee und Kuchen")
    assert made.page_similarity(about) > 0.0 == made.page_similarity(other)
    context = StrategyContext(given, Analyzer(language), random.Random(0))
    CATALOGUE["sentences-light"].build(context, {})
    assert any(f"trained on English, and the topic is in '{language}'" in each for each in warned)


def test_crawl_that_goes_on_keeps_its_ontology_whatever_the_file_says_now(storms: Path) -> None:
    before = scorer(profile(ontology=storms))
    before.prepare()
    page = Document(text="A typhoon and a flood.")
    reported = before.page_similarity(page)
    state = before.state()
    storms.write_text("# topic: cake\ncake\n  tea\n")
    after = scorer(profile(ontology=storms))
    assert after.page_similarity(page) == 0.0
    after.restore(state)
    assert after.page_similarity(page) == reported > 0.0
    assert after.state()["relations"] == state["relations"]
