"""What a replay was asked to do, as its crawl folder says it."""

from __future__ import annotations

import hashlib

from scenthound.archive import Archive
from scenthound.experiments.jobs import Job
from scenthound.lexicon.wordnet import WordNet
from scenthound.store.folder import Order
from scenthound.topics.local_files import with_whole_paths


def replay_order(archive: Archive, job: Job, wordnet: WordNet | None) -> Order:
    """What is run, as its crawl folder keeps it; ``wordnet`` is the one that texts are read by."""
    return Order(
        kind="replay",
        topic=with_whole_paths(job.topic),
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        budget=job.budget.pages,
        seed=job.seed,
        source={
            "archive": str(archive.path.resolve()),
            "sha256": archive.fingerprint,
            "labels": None if job.labels_file is None else str(job.labels_file),
        },
        settings={
            "inlinks": job.recipe.combination.value,
            "count_missing": job.count_missing,
            "judge": job.judge,
            "threshold": job.threshold,
            "labels": _labels_digest(job.labels),
            "wordnet": _wordnet_origin(wordnet),
            "pdf": job.pdf,
            "weights": None if job.weights is None else job.weights.to_json(),
        },
    )


def _labels_digest(labels: frozenset[str] | None) -> dict[str, object] | None:
    """Which labels were measured by: how many pages, and a hash of their sorted URLs."""
    if labels is None:
        return None
    digest = hashlib.sha256("\n".join(sorted(labels)).encode()).hexdigest()
    return {"pages": len(labels), "sha256": digest}


def _wordnet_origin(wordnet: WordNet | None) -> dict[str, str] | None:
    """Which WordNet gave base forms and meanings; None for a language that it is not for."""
    return None if wordnet is None else {"version": wordnet.version, "origin": wordnet.origin}
