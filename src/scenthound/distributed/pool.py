"""What all workers have learnt, added up: documents and their terms, sums over links.

A worker tells what it has learnt of its own pages since it last did. The others read what is new
and not their own. Now and then one of them, who has read all of it, folds the news into one sum;
who is new or has fallen behind reads that, and the news since. To the server all of it is a few
pieces of text: it adds up nothing but the sums over links.

Exact: what workers have told is added once, however often it is sent. With it the server notes the
last page that it is about; a worker that was killed goes on from there.
Approximate: what a server forgets when it restarts stays forgotten here; of two copies of a page
that two workers fetched both count; beyond ``MOST_TERMS`` the sum has the most frequent ones.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from scenthound.core.sharing import Sums, Tally
from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.scripts import Scripts, Step

if TYPE_CHECKING:
    from redis import Redis

Client: TypeAlias = "Redis"
"""The server, for those who need not know what it is."""
MOST_TERMS = 1_000_000
"""Terms in the sum: some 10 MB on the server."""
FOLD_DOCUMENTS, FOLD_SHARE = 128, 2
"""News are folded when they tell of so many documents, and of one in so many of those before."""
KEPT_NEWS = 64
"""News that are folded, and kept for workers that have not read them."""
READ_AT_ONCE = 64
_QUICKLY = 1
_APART = "\0"


class News(NamedTuple):
    """What others have counted, and whether this worker is to fold all of it.

    ``others`` is None for a worker that has fallen behind and must ask for everything.
    """

    others: list[Tally] | None
    is_to_fold: bool


class Pool:
    """What is known of a crawl, and how much of it one worker has read.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    worker : who tells and asks.
    """

    def __init__(self, client: Redis, crawl: str, worker: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._worker = worker
        self._at = crawl_prefix(crawl)
        self._read = 0

    def last_page(self) -> int:
        """The last page of this worker that others know of; 0 for none."""
        return int(self._client.hget(f"{self._at}:taught", self._worker) or 0)

    def set_last_page(self, page: int) -> None:
        """This worker's pages after ``page`` are none that others know of."""
        self._client.hset(f"{self._at}:taught", self._worker, str(page))

    def everything(self) -> Tally:
        """What all workers have counted so far; news are read from here on."""
        folded, (last, upto, documents), news = self._scripts.run("everything", self._at)
        counts: Counter[str] = Counter(_counts(folded) if folded else {})
        for number, fields in news:
            if int(number.partition(b"-")[0]) > int(upto or 0):
                counts.update(_counts(fields[-1]))
        self._read = int(last or 0)
        return Tally(int(documents or 0), dict(counts))

    def telling(self, after: int, upto: int, tally: Tally, sums: Sums) -> Step:
        """Tell what was learnt of the pages after ``after``, up to ``upto``.

        The server answers with the last page that others know of.
        """
        row = sums.astype("<f8").tobytes()
        told = (self._worker, after, upto, tally.documents, _packed(tally), row)
        return "teach", self._at, told

    def asking(self) -> Step:
        """Ask for what others have counted since."""
        fold = FOLD_DOCUMENTS, FOLD_SHARE
        return "news", self._at, (self._worker, self._read, READ_AT_ONCE, *fold)

    def heard(self, answer: Sequence[Any]) -> News:
        """What the server says to that."""
        read, is_behind, is_to_fold, others = answer
        if is_behind:
            return News(None, False)
        self._read = int(read)
        return News([Tally(int(n), _counts(terms)) for n, terms in others], bool(is_to_fold))

    def fold(self, tally: Tally) -> None:
        """All workers together have counted these, up to the last news that were read here."""
        counts = tally.counts
        if len(counts) > MOST_TERMS:
            counts = dict(Counter(counts).most_common(MOST_TERMS))
        told = self._read, tally.documents, _packed(Tally(tally.documents, counts)), KEPT_NEWS
        self._scripts.run("fold", self._at, *told)


def unpacked(row: bytes) -> Sums:
    """Sums over links, as the server has them."""
    return np.frombuffer(row, "<f8").astype(np.float64)


def _packed(tally: Tally) -> bytes:
    """The terms and their counts; a term with a zero byte, which no text has, is left out."""
    if not tally.documents:
        return b""
    counts = {term: count for term, count in tally.counts.items() if _APART not in term}
    numbers = np.fromiter(counts.values(), "<i4", len(counts)).tobytes()
    terms = _APART.join(counts).encode("utf-8", "surrogatepass")
    return zlib.compress(b"".join((len(counts).to_bytes(4, "little"), numbers, terms)), _QUICKLY)


def _counts(packed: bytes) -> dict[str, int]:
    plain = zlib.decompress(packed)
    end = 4 + 4 * int.from_bytes(plain[:4], "little")
    numbers = np.frombuffer(plain[4:end], "<i4").tolist()
    terms = plain[end:].decode("utf-8", "surrogatepass").split(_APART) if numbers else ()
    return dict(zip(terms, numbers, strict=True))
