"""The prose: words in two senses, patterns all filled, nothing said twice on a page."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from scenthound.sample.responses import Response
from scenthound.sample.themes import Theme, noise_themes, topic_themes
from scenthound.sample.web import SampleWeb

TWO_SENSES = {
    "amazon": ("rainforest", "cars"),
    "java": ("coffee", "programming"),
    "jaguar": ("big cats", "cars"),
    "puma": ("big cats", "cars"),
    "python": ("snakes", "programming"),
    "mercury": ("astronomy", "cars"),
    "saturn": ("astronomy", "cars"),
    "beetle": ("rainforest", "cars"),
    "cobra": ("snakes", "cars"),
    "viper": ("snakes", "cars"),
}
_BLOCK = re.compile(r"<(?:p|blockquote)>(.*?)(?=</?(?:p|blockquote|h\d|ul|div)\b)", re.DOTALL)


def sentences(response: Response) -> list[str]:
    """Sentences in the paragraphs and posts of a page, in order."""
    blocks = _BLOCK.findall(response.body.decode("utf-8", "replace"))
    texts = (re.sub(r"<[^>]+>", "", block) for block in blocks)
    return [s for text in texts for s in re.split(r"(?<=[.!?])\s+", text.strip()) if s]


def about(web: SampleWeb, topic: str) -> list[Response]:
    """Pages labelled with ``topic``."""
    return [web.responses[url] for url, name in web.labels.items() if name == topic]


def test_words_in_two_senses(web: SampleWeb) -> None:
    for word in TWO_SENSES:
        for topic in TWO_SENSES[word]:
            spoken = [p for p in about(web, topic) if word in " ".join(sentences(p)).lower()]
            assert len(spoken) >= 3, (word, topic)


def test_no_sentence_twice_on_a_page(web: SampleWeb) -> None:
    for url in web.labels:
        said = Counter(sentences(web.responses[url]))
        repeated = [sentence for sentence, count in said.items() if count > 1 and len(sentence) > 9]
        assert not repeated, (url, repeated)


def test_no_sentence_on_every_page_of_a_topic(web: SampleWeb) -> None:
    for topic in web.topics:
        pages = about(web, topic.name)
        said = Counter(s for page in pages for s in set(sentences(page)) if len(s) > 25)
        sentence, count = said.most_common(1)[0]
        assert count < 0.5 * len(pages), (topic.name, sentence)


def test_pages_have_something_to_say(web: SampleWeb) -> None:
    for url in web.labels:
        text = " ".join(sentences(web.responses[url]))
        assert len(text.split()) > 20, url


def test_every_slot_is_filled(web: SampleWeb) -> None:
    for url in web.labels:
        assert not re.search(rb"\{\w+\}", web.responses[url].body), url


def test_sentences_start_with_a_capital(web: SampleWeb) -> None:
    for url in web.labels:
        small = [s for s in sentences(web.responses[url]) if s[0].islower()]
        assert not small, (url, small)


def test_no_article_before_an_article(web: SampleWeb) -> None:
    """``{s}`` brings its own article: "my the latte" is the mistake to look for."""
    doubled = {("the", "the"), ("a", "the"), ("my", "the"), ("a", "a"), ("the", "a")}
    for url in web.labels:
        for sentence in sentences(web.responses[url]):
            words = sentence.lower().split()
            assert not doubled & set(pairwise(words)), (url, sentence)


def patterns_of(theme: Theme) -> list[str]:
    return [*sum(theme.sections.values(), ()), *sum(theme.pools.values(), ())]


def test_topics_have_enough_words() -> None:
    for theme in topic_themes():
        patterns = patterns_of(theme)
        assert len(theme.subjects) >= 25 and len(theme.main_subjects) >= 10, theme.name
        assert len(set(patterns)) == len(patterns) >= 80, theme.name
        assert all(len(subject.facts) == 3 for subject in theme.subjects), theme.name


def test_themes_are_well_formed() -> None:
    for theme in topic_themes() + noise_themes():
        caps = {f"{slot}_cap" for slot in theme.slots}
        used = {slot for each in patterns_of(theme) for slot in re.findall(r"\{(\w+)\}", each)}
        assert used <= {*theme.slots, *caps, "s", "S", "T", "o", "weekday"}, theme.name
        assert len({subject.title for subject in theme.subjects}) == len(theme.subjects)


def test_news_and_articles_say_when_they_were_written_and_by_whom(web: SampleWeb) -> None:
    dates = {}
    for url, response in web.responses.items():
        found = re.search(rb'article:published_time" content="(\d{4}-\d\d)-\d\d"', response.body)
        assert (found is None) == (b'<meta name="author"' not in response.body)
        if found is not None:
            dates[url] = found[1].decode()
    news = {url: date for url, date in dates.items() if "/news/20" in url}
    assert len(news) > 100 and len(dates) > 2 * len(news)
    assert all(date.replace("-", "/") in url for url, date in news.items())
