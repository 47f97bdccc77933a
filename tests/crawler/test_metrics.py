"""Every indicator on a handful of pages, worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import pytest

import scenthound
from crawler.web_building import Plant, at, labelled
from crawler.web_building import page as archived
from scenthound import CATALOGUE, Topic
from scenthound.crawler.metrics import Indicators, Labels, PageMeasurement, checkpoints, over_budget
from scenthound.crawler.replay import run_job
from scenthound.storage.journal import last_summary, read_journal
from scenthound.storage.pages import Response, read_page

PAGES = [
    PageMeasurement("a", 0.8, True, None),  # the seed: no prediction
    PageMeasurement("b", 0.2, False, 0.5),
    PageMeasurement("c", 0.6, True, 0.4),
    PageMeasurement("d", 0.0, False, 0.1),
    PageMeasurement("e", 0.4, True, 0.4, ("old-e",)),
]
LABELS = frozenset({"a", "c", "old-e", "never"})


def last(pages: list[PageMeasurement], labels: frozenset[str] | None = None) -> Indicators:
    return checkpoints(pages, labels)[-1]


def test_indicators_of_five_pages() -> None:
    """The similarities are 0.8, 0.2, 0.6, 0 and 0.4; relevant are the first, third and last.

    Mean 0.4; squares of the deviations .16 .04 .04 .16 0, their mean 0.08. The error is over the
    pages with a prediction alone: |0.2 - 0.5| + |0.6 - 0.4| + |0 - 0.1| + 0 = 0.6 over four.
    """
    row = last(PAGES)
    assert (row.fetched, row.rn, row.hr) == (5, 3, 0.6)
    assert row.as_ == pytest.approx((0.8 + 0.6 + 0.4) / 3)
    assert row.ar == pytest.approx(0.4)
    assert row.sd == pytest.approx(math.sqrt(0.08))
    assert row.ae == pytest.approx(0.15)
    assert row.labelled is row.labelled_harvest is row.target_recall is None
    assert over_budget(row, 10) == row
    assert last(PAGES[1:2]).as_ is last(PAGES[:1]).ae is None
    assert " ".join(row.to_json()) == (
        "fetched labelled_harvest target_recall labelled rn hr as ar sd ae"
    )
    none = last([], LABELS)
    assert (none.fetched, none.rn, none.hr, none.ar, none.sd) == (0, 0, 0.0, 0.0, 0.0)
    assert none.as_ is none.ae is None
    assert (none.labelled, none.labelled_harvest, none.target_recall) == (0, 0.0, 0.0)


def test_labelled_harvest_and_recall() -> None:
    row = last(PAGES, LABELS)
    assert (row.labelled, row.labelled_harvest, row.target_recall) == (3, 0.6, 0.75)
    final = over_budget(row, 20)  # also where the crawl ended early
    assert (final.labelled_harvest, final.target_recall) == (0.15, 0.75)
    twice = [PageMeasurement("a", 0.0, False, None), PageMeasurement("b", 0.0, False, None, ("a",))]
    assert last(twice, frozenset({"a"})).labelled == 1


def test_checkpoints_at_every_hundred_and_at_the_end_are_about_the_pages_before() -> None:
    cases = {0: [0], 1: [1], 99: [99], 100: [100], 101: [100, 101], 250: [100, 200, 250]}
    for pages, expected in cases.items():
        records = [PageMeasurement(str(n), 0.5, True, None) for n in range(pages)]
        assert [row.fetched for row in checkpoints(records)] == expected
    first, second, end = checkpoints(PAGES, LABELS, every=2)
    assert (first.labelled, first.labelled_harvest, first.target_recall) == (1, 0.5, 0.25)
    assert (second.labelled, second.rn) == (2, 2)
    assert end == last(PAGES, LABELS)


def test_figures_from_the_journal_equal_those_of_the_run_and_of_the_summary(plant: Plant) -> None:
    words = ("storm", "flood", "cake", "rain", "tea")
    pages = []
    for n in range(130):
        next_one, other = (f"/{n + 1}", words[(n + 1) % 5]), (f"/{3 * n % 130}", words[3 * n % 5])
        text = f"{words[n % 5]} {words[n % 3]} word{n}"
        pages.append(archived(f"/{n}", next_one, other, f"/gone{n}", text=text))
    web = plant(*pages)
    labels = labelled("/5", "/50", "/129")
    out = web.folder / "run"
    examples = ["storm flood", "storm rain"]
    job = web.job("vsm", seeds=["/0"], examples=examples, labels=labels, budget="125", out=out)
    result = run_job(web.archive, job)
    path = out / "storms" / "vsm" / "journal.jsonl"
    events = (event for event in read_journal(path) if event["event"] == "page")
    measured = map(PageMeasurement.from_json, events)
    rows = checkpoints(measured, frozenset(map(at, ("/5", "/50", "/129"))))
    assert tuple(rows) == result.checkpoints
    assert over_budget(rows[-1], 125) == result.final
    summary, final, n = last_summary(path), result.final, result.final.fetched
    assert summary is not None and final.as_ is not None and final.ae is not None
    assert (summary["fetched"], summary["relevant"], summary["predicted"]) == (125, final.rn, 124)
    assert summary["missing"] == result.missing > 0
    assert summary["similarity"] == pytest.approx(final.ar * n, abs=1e-3)
    assert summary["similarity_squared"] == pytest.approx((final.sd**2 + final.ar**2) * n, abs=1e-3)
    assert summary["relevant_similarity"] == pytest.approx(final.as_ * final.rn, abs=1e-3)
    assert summary["error"] == pytest.approx(final.ae * (n - 1), abs=2e-3)


# Every strategy follows a topic in another language, and pages in other languages are marked.


HOST = "http://w.test"
UNREADING = {"breadth-first", "random"}
"""These find the pages in whatever order."""
READING = [name for name, spec in CATALOGUE.items() if not spec.extra]
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
    language.code: language for language in (
        Language("de", ("Wirbelsturm", "starke Winde"),
            ("Wirbelstürme an der Küste", "Der Wirbelsturm und starke Winde", "Starker Wind"),
            ("Kuchen aus Mehl", "Die Torten der Bäckerin", "Zucker und Butter")),
        Language("fr", ("tempête", "vents violents"),
            ("Les tempêtes sur la côte", "La tempête et des vents violents", "Un vent violent"),
            ("Les gâteaux à la farine", "Une tarte aux pommes", "Du sucre et du beurre")),
        Language("ru", ("тайфун", "сильный ветер"),
            ("Тайфуны на побережье", "Удар тайфуна и сильные ветры", "Сильный ветер"),
            ("Пироги из муки", "Торт со сливками", "Сахар и масло")),
        Language("ar", ("عاصفة", "رياح قوية"),
            ("العاصفة على الساحل", "عاصفة و رياح قوية", "الرياح القوية"),
            ("كعك من الدقيق", "فطيرة التفاح", "السكر و الزبدة")),
        Language("zh", ("台风", "热带气旋"),
            ("强台风到达海岸", "台风是热带气旋", "热带气旋的路径"),
            ("蛋糕用面粉做成", "苹果馅饼很甜", "白糖和黄油")),
        Language("ja", ("台風", "暴風雨"),
            ("台風が海岸に近づく", "強い台風と暴風雨", "暴風雨の被害"),
            ("小麦粉で作るケーキ", "りんごの菓子", "砂糖とバター")),
    )
}  # fmt: skip


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
    seeds = (f"{HOST}/index.html",)
    return Topic("storms", language.keywords, seeds, language.storms, language=language.code)


RUNS = [(name, list(LANGUAGES)[number % len(LANGUAGES)]) for number, name in enumerate(READING)]
"""Every strategy in one of the languages, and one strategy in all."""


@pytest.mark.parametrize(
    ("strategy", "code"), [*RUNS, *(("soft-svsm", code) for code in LANGUAGES)]
)
def test_every_strategy_finds_the_pages(
    tmp_path: Path, strategy: str, code: str, warned: list[str]
) -> None:
    web = write_web(tmp_path, LANGUAGES[code])
    pages = frozenset(f"{HOST}/storms{n}.html" for n in range(3))
    labels = Labels({"storms": pages}, "labels.tsv")
    run = scenthound.replay(web, topic_of(LANGUAGES[code]), strategy, budget=7, labels=labels)
    assert set(run.order[1:]) >= pages
    if strategy in BY_PAGE:
        assert set(run.order[1:5]) >= pages
    elif strategy not in UNREADING:
        assert run.order[1:4] == tuple(f"{HOST}/storms{n}.html" for n in range(3))
    expected = []
    if CATALOGUE[strategy].uses_wordnet:
        expected = ["WordNet is English; texts are compared by their words (lexical only)"]
    if strategy == "sentences-light":
        expected = ["the static vectors were trained on English"]
    assert len(warned) == len(expected)
    assert all(words in message for words, message in zip(expected, warned, strict=True))


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
        "index": None, "german": "de", "english": None, "template": None, "chinese": "zh"
    }  # fmt: skip


def test_examples_in_another_language_than_the_topics_are_a_warning(
    tmp_path: Path, warned: list[str]
) -> None:
    web = write_web(tmp_path, LANGUAGES["ru"])
    examples = tuple(f"{HOST}/storms{n}.html" for n in range(3))
    topic = Topic("storms", ("typhoon",), (f"{HOST}/index.html",), examples)
    scenthound.replay(web, topic, "vsm", budget=2)
    (message,) = warned
    assert message == (
        "topic 'storms': 3 of 3 examples are not in its language, 'en', but in 'ru'; "
        'if the topic is, set language = "ru"'
    )


def test_the_page_comes_before_the_header_and_several_are_none() -> None:
    cases: list[tuple[str, str, str | None]] = [
        ("<p>x", "de-AT", "de-at"),
        ("<p>x", "de, en", None),
        ("<p>x", "", None),
        ('<html lang="fr"><p>x', "de", "fr"),
        ('<meta http-equiv="Content-Language" content="es"><p>x', "de", "es"),
        ('<html lang="fr"><meta http-equiv="content-language" content="es">', "", "fr"),
        ('<html lang=""><meta http-equiv="content-language" content="es">', "", "es"),
        ('<meta http-equiv="content-language" content="en, fr"><p>x', "", None),
    ]
    for html, header, language in cases:
        headers = {"content-type": "text/html"} | ({"content-language": header} if header else {})
        response = Response("http://w.test/", 200, headers, html.encode())
        assert read_page(response, (), 0.0).document.language == language
