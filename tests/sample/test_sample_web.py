"""The sample web as a whole: the same for the same seed, and of the size we say it has."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from sample.sample_once import sample_web
from scenthound.core.urls import canonical, host_of
from scenthound.sample import SampleWeb, build


def test_same_seed_gives_the_same_web(web: SampleWeb) -> None:
    again = build(0)
    assert again == web
    assert list(again.responses) == list(web.responses)


def test_another_seed_gives_another_web(web: SampleWeb) -> None:
    other = sample_web(1)
    assert set(other.responses) != set(web.responses)
    assert other.topics != web.topics


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_size(seed: int) -> None:
    web = sample_web(seed)
    assert 1_400 <= len(web.responses) <= 1_700
    assert len({host_of(url) for url in web.responses}) == 30
    assert len(web.topics) == 8
    sizes = Counter(web.labels.values())
    assert set(sizes) == {topic.name for topic in web.topics}
    assert all(60 <= size <= 150 for size in sizes.values()), sizes
    assert len(set(sizes.values())) >= 6


def test_urls_are_canonical_and_reserved(web: SampleWeb) -> None:
    for url, response in web.responses.items():
        assert url == response.url == canonical(url)
        assert url.startswith("http://") and host_of(url).endswith(".test")


def test_labels_are_on_readable_pages_only(web: SampleWeb) -> None:
    assert all(web.responses[url].is_page for url in web.labels)


def test_topics_name_labelled_pages(web: SampleWeb) -> None:
    for topic in web.topics:
        assert 3 <= len(topic.keywords) <= 6
        assert len(topic.seeds) == 3
        assert len(topic.examples) == 8
        assert not set(topic.seeds) & set(topic.examples)
        assert {web.labels[url] for url in topic.seeds + topic.examples} == {topic.name}


def test_topics_and_hosts_are_mixed(web: SampleWeb) -> None:
    hosts, topics = defaultdict(set), defaultdict(set)
    for url, topic in web.labels.items():
        hosts[topic].add(host_of(url))
        topics[host_of(url)].add(topic)
    assert all(len(names) >= 5 for names in hosts.values())
    assert sum(len(names) >= 2 for names in topics.values()) >= 15
