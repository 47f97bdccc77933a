""""""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import transformers

from scenthound.similarity.bert import load_bert
from similarity.tiny_bert import VOCABULARY, tiny_tokenizer

SMALL = {"vocab_size": len(VOCABULARY), "max_position_embeddings": 30, "pad_token_id": 1}
WIDTHS = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}


def test_kin_of_bert_are_read_up_to_their_last_position(tmp_path: Path) -> None:
    cases: list[tuple[str, dict[str, int], int]] = [
        ("DistilBert", {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16}, 30),
        ("Roberta", WIDTHS, 28),
        ("MPNet", WIDTHS, 28),
    ]
    for kind, widths, takes in cases:
        library: Any = transformers
        config = getattr(library, f"{kind}Config")(**SMALL, **widths)
        getattr(library, f"{kind}Model")(config).save_pretrained(tmp_path)
        tiny_tokenizer().save(str(tmp_path / "tokenizer.json"))
        encoder = load_bert(str(tmp_path), exact=True)
        found = encoder.encode(["the old dog " * 40, "fox"])
        assert encoder.name.endswith(f"-{takes}")
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
        (words,) = encoder.encode_words([["dog"] * 100])
        assert words.any(axis=1).all()
