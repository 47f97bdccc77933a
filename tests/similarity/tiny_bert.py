"""A BERT of two layers and some fifty words, with random weights, as files of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from scenthound.similarity.encoders import Vectors

WORDS = (
    "a the of and dog hound cat wolf fox river bank money water fish boat tree leaf forest road "
    "town house school teacher pupil book page web link crawl topic paper word text light stone "
    "moon star sun run walk read write swim red green blue old new ##s ##ing ##er . , -"
).split()
VOCABULARY = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
TAKES = 24
TEXTS = (
    "the old dog", "a fox and the wolf swim", "", "water", "reading of books, old and new.",
    "the teacher writes a paper - pupils read the paper", "moon " * 60, "   ", "unknown hounds",
)  # fmt: skip


def write_tiny_bert(folder: Path, seed: int = 7) -> Path:
    import torch
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True, exist_ok=True)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=TAKES,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model: Any = BertModel
        model(config).save_pretrained(folder)
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def tiny_tokenizer(extra: tuple[str, ...] = ()) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = VOCABULARY | {word: len(VOCABULARY) + i for i, word in enumerate(extra)}
    tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_truncation(8)  # as that of MiniLM, which cuts and pads unasked
    tokenizer.enable_padding(length=8)
    return tokenizer


def reference_layer(folder: Path, text: str, longest: int) -> Vectors:
    """The last layer of one text, marks included, straight from transformers."""
    import torch
    from tokenizers import Tokenizer
    from transformers import BertModel
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    pieces = torch.tensor([tokenizer.encode(text).ids])
    model: Any = BertModel.from_pretrained(folder, local_files_only=True)
    model.eval()
    with torch.inference_mode():
        found: Vectors = model(input_ids=pieces).last_hidden_state[0].numpy()
    return found


def reference_vector(folder: Path, text: str, longest: int) -> Vectors:
    """The mean of that, brought to length 1."""
    mean = reference_layer(folder, text, longest).mean(axis=0)
    found: Vectors = mean / np.linalg.norm(mean)
    return found
