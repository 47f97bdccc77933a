"""A topic is checked against its archive before anything starts."""

from __future__ import annotations

from scenthound.archive import Archive
from scenthound.core.errors import LabelsError, SettingsError
from scenthound.core.model import Briefing, Budget, Topic
from scenthound.engines.redirects import final_response
from scenthound.experiments.labels import Labels
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.lexicon.wordnet import WordNet
from scenthound.text.counters import TextCounters

DEFAULT_BUDGET = "1000"
BUDGET_WITH_LABELS = "2x"


def prepare(
    archive: Archive,
    topic: Topic,
    labels: Labels | None,
    budget: str | None,
    warn: Warn,
    wordnet: WordNet | None = None,
    by_meaning: bool = False,
    counters: TextCounters | None = None,
) -> tuple[Briefing, Budget, frozenset[str] | None]:
    """Check a topic against the archive: some missing is a warning, all missing an error."""
    _check_seeds(archive, topic, warn)
    briefing = read_briefing(
        topic, archive, warn, wordnet=wordnet, by_meaning=by_meaning, counters=counters
    )
    targets = _targets(archive, topic, labels, warn) if labels is not None else None
    text = budget or (DEFAULT_BUDGET if targets is None else BUDGET_WITH_LABELS)
    parsed = Budget.parse(text, None if targets is None else len(targets))
    return briefing, parsed, targets


def _check_seeds(archive: Archive, topic: Topic, warn: Warn) -> None:
    if not topic.seeds:
        raise SettingsError(f"{topic} has no seeds: add URLs to start from.")
    seeds = list(dict.fromkeys(topic.seeds))
    gone = [url for url in seeds if url not in archive]
    if len(gone) == len(seeds):
        raise SettingsError(
            f"{topic}: none of its {len(gone)} seeds is in {archive.path} "
            f"(the first is {gone[0]}); give seeds that are."
        )
    if gone:
        warn(f"{topic}: {len(gone)} of {len(seeds)} seeds are not in the archive, e.g. {gone[0]}")


def _targets(archive: Archive, topic: Topic, labels: Labels, warn: Warn) -> frozenset[str]:
    """The labelled pages. A label on a redirect is one on the page that it leads to."""
    listed = labels.of(topic.name)
    led_to = {url: final_response(archive, url) for url in listed}
    gone = [url for url, response in led_to.items() if response is None]
    if len(gone) == len(listed):
        raise LabelsError(
            f"{topic}: none of its {len(listed)} labelled pages is in "
            f"{archive.path}; give the labels of this archive."
        )
    if gone:
        warn(
            f"{topic}: {len(gone)} of {len(listed)} labelled pages "
            f"are not in the archive and are left out, e.g. {min(gone)}"
        )
    return frozenset(response.url for response in led_to.values() if response is not None)
