"""Every strategy follows a topic in another language, and pages in other languages are marked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

import scenthound
from scenthound import CATALOGUE, Topic
from scenthound.experiments.labels import Labels

HOST = "http://w.test"
UNREADING = {"breadth-first", "random"}
"""These find the pages in whatever order."""

READING = [name for name, recipe in CATALOGUE.items() if not recipe.extra]
"""The models of the extra ``neural`` are made for one language, and say so."""
BY_PAGE = {"best-first", "fish"}
"""These read pages, not links: each road looks the same until its first page is read."""


@dataclass(frozen=True)
class Language:
    """Keywords, and sentences about the topic (storms) and about something else (cakes)."""

    code: str
    keywords: tuple[str, ...]
    storms: tuple[str, ...]
    cakes: tuple[str, ...]


LANGUAGES = {
    language.code: language
    for language in (
        Language(
            "de",
            ("Wirbelsturm", "starke Winde"),
            ("Wirbelstürme an der Küste", "Der Wirbelsturm und starke Winde", "Starker Wind"),
            ("Kuchen aus Mehl", "Die Torten der Bäckerin", "Zucker und Butter"),
        ),
        Language(
            "fr",
            ("tempête", "vents violents"),
            ("Les tempêtes sur la côte", "La tempête et des vents violents", "Un vent violent"),
            ("Les gâteaux à la farine", "Une tarte aux pommes", "Du sucre et du beurre"),
        ),
        Language(
            "ru",
            ("тайфун", "сильный ветер"),
            ("Тайфуны на побережье", "Удар тайфуна и сильные ветры", "Сильный ветер"),
            ("Пироги из муки", "Торт со сливками", "Сахар и масло"),
        ),
        Language(
            "ar",
            ("عاصفة", "رياح قوية"),
            ("العاصفة على الساحل", "عاصفة و رياح قوية", "الرياح القوية"),
            ("كعك من الدقيق", "فطيرة التفاح", "السكر و الزبدة"),
        ),
        Language(
            "zh",
            ("台风", "热带气旋"),
            ("强台风到达海岸", "台风是热带气旋", "热带气旋的路径"),
            ("蛋糕用面粉做成", "苹果馅饼很甜", "白糖和黄油"),
        ),
        Language(
            "ja",
            ("台風", "暴風雨"),
            ("台風が海岸に近づく", "強い台風と暴風雨", "暴風雨の被害"),
            ("小麦粉で作るケーキ", "りんごの菓子", "砂糖とバター"),
        ),
    )
}


def page(title: str, text: str, *links: tuple[str, str], lang: str) -> str:
    anchors = "".join(f'<li><a href="{path}">{anchor}</a></li>' for path, anchor in links)
    return (
        f'<html lang="{lang}"><meta charset="utf-8"><title>{title}</title>'
        f"<p>{text}</p><ul>{anchors}</ul>"
    )


def write_web(folder: Path, language: Language) -> Path:
    """From the first page two roads lead, one about cakes and one about storms, both of three."""
    web = folder / "w.test"
    web.mkdir(parents=True)
    roads = {"cakes": language.cakes, "storms": language.storms}
    first = [(f"{name}0.html", texts[0]) for name, texts in roads.items()]
    seed = page("Index", "", *first, lang=language.code)
    (web / "index.html").write_text(seed, encoding="utf-8")
    for name, texts in roads.items():
        for n, text in enumerate(texts):
            onward = [(f"{name}{n + 1}.html", texts[n + 1])] if n + 1 < len(texts) else []
            written = page(text, f"{text}. " * 3, *onward, lang=language.code)
            (web / f"{name}{n}.html").write_text(written, encoding="utf-8")
    return folder


def topic_of(language: Language) -> Topic:
    return Topic(
        "storms",
        language.keywords,
        (f"{HOST}/index.html",),
        tuple(language.storms),
        language=language.code,
    )


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("strategy", READING)
def test_every_strategy_finds_the_pages(tmp_path: Path, strategy: str, code: str) -> None:
    web = write_web(tmp_path, LANGUAGES[code])
    pages = frozenset(f"{HOST}/storms{n}.html" for n in range(3))
    heard: list[str] = []
    run = scenthound.replay(
        web,
        topic_of(LANGUAGES[code]),
        strategy,
        budget=7,
        labels=Labels({"storms": pages}, "labels.tsv"),
        warn=heard.append,
    )
    assert set(run.order[1:]) >= pages
    if strategy in BY_PAGE:
        assert set(run.order[1:5]) >= pages
    elif strategy not in UNREADING:
        assert run.order[1:4] == tuple(f"{HOST}/storms{n}.html" for n in range(3))
    if strategy == "sentences-light":
        assert [message.split(", ")[0] for message in heard] == [
            "the static vectors were trained on English"
        ]
        return
    expected = ["WordNet is English; texts are compared by their words (lexical only)"]
    assert [message.split(": ")[1] for message in heard] == (
        expected if CATALOGUE[strategy].uses_wordnet else []
    )


@pytest.mark.parametrize("strategy", ["sentences", "bsvsm", "soft-bsvsm"])
def test_a_model_for_english_is_told_of(tmp_path: Path, strategy: str) -> None:
    heard: list[str] = []
    web = write_web(tmp_path, LANGUAGES["de"])
    run = scenthound.replay(web, topic_of(LANGUAGES["de"]), strategy, budget=3, warn=heard.append)
    assert run.fetched == 3
    assert sum("MiniLM was trained on English" in message for message in heard) == 1


def test_a_page_in_another_language_is_marked_in_the_journal(tmp_path: Path) -> None:
    web = tmp_path / "web" / "w.test"
    web.mkdir(parents=True)
    english = "The storm reached the coast and the houses at the river were under water. "
    german = "Der Sturm erreichte die Küste, und die Häuser an dem Fluss waren unter Wasser. "
    links = [(f"{name}.html", "storm") for name in ("german", "english", "template", "chinese")]
    pages = {
        "index": page("Storms", english, *links, lang="en"),
        "german": page("Sturm", german, lang="de-AT"),
        "english": page("Storm", english, lang="en-GB"),
        "template": page("Storm", english, lang="de"),
        "chinese": page("台风", "台风晚上到达海岸，河水漫过堤岸。" * 2, lang="en"),
    }
    for name, html in pages.items():
        (web / f"{name}.html").write_text(html, encoding="utf-8")
    topic = Topic("storms", ("storm",), (f"{HOST}/index.html",))
    scenthound.replay(web.parent, topic, "vsm", budget=9, out=tmp_path / "out")
    lines = map(json.loads, (tmp_path / "out" / "journal.jsonl").read_text().splitlines())
    found = {line["url"]: line.get("language") for line in lines if line["event"] == "page"}
    names = {url.removeprefix(f"{HOST}/").removesuffix(".html"): of for url, of in found.items()}
    assert names == {
        "index": None, "german": "de", "english": None, "template": None, "chinese": "zh",
    }  # fmt: skip


def test_examples_in_another_language_than_the_topics_are_told(tmp_path: Path) -> None:
    web = write_web(tmp_path, LANGUAGES["ru"])
    topic = Topic(
        "storms",
        ("typhoon",),
        (f"{HOST}/index.html",),
        tuple(f"{HOST}/storms{n}.html" for n in range(3)),
    )
    heard: list[str] = []
    scenthound.replay(web, topic, "vsm", budget=2, warn=heard.append)
    (message,) = heard
    assert message == (
        "topic 'storms': 3 of 3 examples are not in its language, 'en', but in 'ru'; "
        'if the topic is, set language = "ru"'
    )
