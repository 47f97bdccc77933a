"""How long does it take to learn an ontology of 100 concepts from 30 pages?"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from scenthound.papers.olmoaco.learner import Learner, LearningPlan
from scenthound.papers.olmoaco.sources import Source, source_of
from scenthound.sample.web import build
from scenthound.text.analyzer import Analyzer
from scenthound.text.extract import extract

PAGES = 30
TOPIC = "storms"
PLAN = LearningPlan(terms=80, concepts=110)
"""A part of the concepts is kept free for pairs of words: 100 are left without any."""
BAR = 60.0
"""Seconds."""


class StepTimes:
    """Seconds of each step, as learning tells of them: a step ends where the next begins."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._step, self._since = "", perf_counter()

    def __call__(self, step: str, done: int, total: int) -> None:
        """Progress of learning."""
        del done, total
        now = perf_counter()
        if self._step:
            self.seconds[self._step] = self.seconds.get(self._step, 0.0) + now - self._since
        self._step, self._since = step, now


def learning(pages: int = PAGES) -> None:
    """Print the seconds of each step, and of all; libraries are loaded within them."""
    sources, times = sample_sources(pages), StepTimes()
    keywords = next(topic.keywords for topic in build(0).topics if topic.name == TOPIC)
    learner = Learner(TOPIC, keywords, [], sources, Analyzer("en"), PLAN, progress=times)
    began = perf_counter()
    learned = learner.learn()
    whole = perf_counter() - began
    print(f"learning from {len(sources)} pages of {_words(sources):,} words in all")
    for step, seconds in times.seconds.items():
        print(f"  {step:20} {seconds:6.2f} s")
    print(f"{len(learned.ontology)} concepts in {whole:.1f} s (bar: {BAR:.0f} s)")


def sample_sources(pages: int) -> list[Source]:
    """So many pages of the topic from the sample web, in the order of their addresses."""
    web = build(0)
    urls = [url for url, topic in sorted(web.labels.items()) if topic == TOPIC]
    documents = (extract(web.responses[url].body, url, "text/html").document for url in urls)
    return [
        source_of(url, document) for url, document in zip(urls[:pages], documents, strict=False)
    ]


def _words(sources: Sequence[Source]) -> int:
    return sum(len(source.body.split()) for source in sources)
