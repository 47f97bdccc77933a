"""Text models by vectors, as strategies build them: from files, from the crawl, tiny and real."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import Document
from scenthound.core.parameters import Value
from scenthound.papers.elmo_network import ElmoOptions
from scenthound.papers.elmo_training import initial_weights
from scenthound.similarity.encoders import ModelRuntime, NoCache
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.vector_models import absolute_paths
from similarity.elmo_published import write_model
from strategies.scoring import strategy_context

GLOVE = "storm 1 0\nhurricane 4 1\ncake 0 1\nbread -1 0\n"
PAGE = Document(text="a hurricane and a cake")


@pytest.fixture
def glove(tmp_path: Path) -> str:
    path = tmp_path / "glove.txt"
    path.write_text(GLOVE)
    return str(path)


def test_word2vec_reads_the_vectors_of_a_file(glove: str) -> None:
    """Hurricane is 4 / sqrt(17) like a storm; soft SVSM of one word is that, cake's is 0."""
    model = TEXT_MODELS["word2vec"].model(strategy_context(), {"vectors": glove, "form": "soft"})
    found = model.similarities(["hurricane", "cake", "bread", "storm"], PAGE)
    assert found == pytest.approx([4 / 17**0.5, 0.0, 0.0, 1.0], abs=1e-3)


def test_a_file_without_the_words_of_the_topic_is_told_of(glove: str) -> None:
    heard: list[str] = []
    for keywords in (["storm"], ["ocean", "storm", "tide"]):
        given = replace(strategy_context(keywords), equipment=ModelRuntime(warn=heard.append))
        TEXT_MODELS["word2vec"].model(given, {"vectors": glove})
    (message,) = heard
    assert "has vectors of 1 of the 3 terms of the topic" in message


def test_paths_are_kept_whole_and_names_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    found = absolute_paths({"model": "m", "vectors": "no/such", "topic": "m", "lead": 3})
    assert found == {"model": str(tmp_path / "m"), "vectors": "no/such", "topic": "m", "lead": 3}


def test_word2vec_is_trained_on_the_example_pages() -> None:
    """Wind and sail stand together, and so do oven and dough: what has no example is not learnt."""
    sea, bakery = "storm wind sail boat wave ", "oven dough flour sugar cake "
    given = strategy_context(examples=[sea * 40, bakery * 40])
    model = TEXT_MODELS["word2vec"].model(given, {"form": "soft", "terms": 1})
    wind, dough, unknown = model.similarities(["wind", "dough", "zzz"], PAGE)
    assert wind > dough >= 0.0
    assert unknown == 0.0


@pytest.mark.parametrize("name", ["word2vec", "elmo"])
def test_too_little_text_to_train_on_is_told(name: str) -> None:
    heard: list[str] = []
    given = replace(strategy_context(["storm"]), equipment=ModelRuntime(warn=heard.append))
    model = TEXT_MODELS[name].model(given, {})
    assert model.similarities(["storm", "cake"], PAGE) == pytest.approx([1.0, 0.0])
    assert any("words are compared as they are written" in message for message in heard)


@pytest.mark.parametrize("context", [True, False])
def test_elmo_reads_published_files(tmp_path: Path, context: bool) -> None:
    options = ElmoOptions()
    weights = initial_weights(options, np.random.default_rng(0))
    files = (tmp_path / "options.json", tmp_path / "weights.hdf5")
    write_model(*files, options, weights)
    given: dict[str, Value] = {
        "options": str(files[0]), "weights": str(files[1]), "context": context,
    }  # fmt: skip
    model = TEXT_MODELS["elmo"].model(strategy_context(["cake"]), {**given, "form": "soft"})
    found = model.similarities(["cake", "hurricane", ""], PAGE)
    assert found[2] == 0.0 and all(0.0 <= value <= 1.0 for value in found)
    if not context:
        assert found[0] == pytest.approx(1.0, abs=1e-3)


def test_an_elmo_model_is_two_files(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="give both options and weights"):
        TEXT_MODELS["elmo"].model(strategy_context(), {"options": str(tmp_path / "options.json")})


def test_bert_alone_knows_a_word_again_and_in_company_it_may_not() -> None:
    alone = TEXT_MODELS["bsvsm"].model(
        strategy_context(["water"]), {"form": "soft", "context": False}
    )
    assert alone.similarities(["water"], PAGE) == pytest.approx([1.0], abs=1e-3)
    page = Document(text="the old fox and the water of the moon")
    company = TEXT_MODELS["bsvsm"].model(strategy_context(["water"]), {"form": "soft"})
    (found,) = company.similarities(["water"], page)
    assert 0.0 < found < 1.0 - 1e-3


def test_a_crawl_is_the_same_with_a_cache_and_without() -> None:
    class Dictionary(NoCache):
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


@pytest.mark.parametrize("name", [name for name, each in TEXT_MODELS.items() if each.extra])
def test_without_the_extra_one_sentence_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("torch", "transformers", "gensim", "sklearn", "concepts", "efficient_apriori"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError) as caught:
        TEXT_MODELS[name].model(strategy_context(), {})
    assert f"pip install 'scenthound[{TEXT_MODELS[name].extra}]'" in str(caught.value)
    assert name in str(caught.value) and "\n" not in str(caught.value)


def test_what_needs_no_extra_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("torch", "transformers", "gensim", "h5py"):
        monkeypatch.setitem(sys.modules, module, None)
    model = TEXT_MODELS["sentences-light"].model(strategy_context(["storm"]), {})
    storm, cake = model.similarities(["a heavy hurricane", "a chocolate cake"], PAGE)
    assert storm > cake >= 0.0


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("bsvsm", {"form": "hard"}, "unknown form 'hard'"),
        ("bsvsm", {"floor": 1.5}, "floor must lie within 0 and 1"),
        ("bsvsm", {"power": 0.0}, "power must be a number above 0"),
        ("sentences", {"device": "cuda:99"}, "cuda:99"),
        ("elmo", {"device": "abacus"}, "abacus"),
        ("elmo", {"layer": "bottom"}, "unknown layer of ELMo 'bottom'"),
        ("word2vec", {"vectors": "no-such-file"}, "no-such-file"),
        ("word2vec", {"architecture": "glove"}, "unknown architecture of word2vec 'glove'"),
        ("word2vec", {"every": 0}, "every must be 1 page or more"),
        ("sentences-light", {"lead": 0}, "lead is a number of characters"),
    ],
)
def test_bad_values(name: str, parameters: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        TEXT_MODELS[name].model(strategy_context(), parameters)
    assert sentence in str(caught.value)
