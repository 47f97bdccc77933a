"""Copies have the same fingerprint, pages that only share a frame do not."""

from __future__ import annotations

import random

from scenthound.core.model import Document
from scenthound.fetch.messages import FEWEST_WORDS, fingerprint

FINGERPRINT = 5164010783187520412


def text(words: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [f"w{rng.randrange(5_000)}" for _ in range(words)]


def page(words: list[str], title: str = "Title") -> int:
    found = fingerprint(Document(title=title, text=" ".join(words)))
    assert found is not None
    return found


def test_the_same_words_in_another_dress() -> None:
    words = text(600, 1)
    plain = Document(title="A title", text=" ".join(words))
    dressed = Document(title="A TITLE", text=",\n".join(word.upper() for word in words) + "!")
    assert fingerprint(plain) == fingerprint(dressed)


def test_most_copies_with_another_date_are_found() -> None:
    pages = [text(600, seed) for seed in range(100)]
    found = [page([*words, "read", "17"]) == page([*words, "read", "18"]) for words in pages]
    assert sum(found) >= 80


def test_pages_that_share_a_frame_or_list_other_items_are_told_apart() -> None:
    frame = text(300, 1)
    prints = [page(frame + text(60, seed)) for seed in range(2, 102)]
    assert len(set(prints)) == 100
    items = [" ".join(text(12, seed)) for seed in range(400)]
    head = " ".join(text(100, 999))
    pages = [head + " " + " ".join(items[start : start + 20]) for start in range(0, 400, 20)]
    assert len({page(each.split()) for each in pages}) == len(pages)
    words = text(200, 1)
    assert page(words) != page(sorted(words))  # the order of words counts


def test_short_texts_are_not_compared_and_fingerprints_fit_a_signed_column() -> None:
    assert fingerprint(Document()) is None
    assert fingerprint(Document(title="one", text="two " * (FEWEST_WORDS - 2))) is None
    assert fingerprint(Document(title="one", text="two " * (FEWEST_WORDS - 1))) is not None
    prints = [page(text(50, seed)) for seed in range(200)]
    assert all(-(2**63) <= each < 2**63 for each in prints)
    assert 60 < sum(each < 0 for each in prints) < 140  # the whole range is used


def test_the_same_in_every_process_and_version() -> None:
    """Ledgers of older crawls hold fingerprints, and a resumed crawl compares with them."""
    assert fingerprint(Document(text="a b c d e " * 10)) == FINGERPRINT


def test_texts_without_blanks_are_compared_too() -> None:
    """Chinese has hardly a blank: the pairs of its characters are what is compared."""
    text = "台风是热带海洋上空形成的强烈气旋，中心附近风力很大，"
    text += "常常带来暴雨和风暴潮，沿海居民应当及时撤离。"
    same, other = Document("台风", text), Document("咖啡", text[::-1])
    assert fingerprint(same) == fingerprint(Document("台风", text)) is not None
    assert fingerprint(same) != fingerprint(other)
