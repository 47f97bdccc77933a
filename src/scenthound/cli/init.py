"""``scenthound init``: ask a few questions and write a commented topic file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.screen import Parsed, is_interactive, notices, plain, prompt, prompt_many
from scenthound.core.errors import MalformedUrlError, SettingsError, TopicError
from scenthound.core.model import Topic
from scenthound.core.patterns import UrlPatterns
from scenthound.core.scope import check_url_rules, pattern_warnings
from scenthound.core.urls import canonical
from scenthound.crawler.arguments import command
from scenthound.similarity.topic_file import is_file_name, is_url, split_keywords, topic_text
from scenthound.similarity.topic_senses import KeywordSenses, read_keyword, shortened
from scenthound.storage.files import check_replaceable, write_bytes
from scenthound.text.analyzer import Analyzer, is_english
from scenthound.text.languages import primary_language

_LEAST_WORDS = 5


def read_language(text: str) -> str:
    """A language code; English where nothing is given."""
    if text and primary_language(text) is None:
        raise TopicError(f"{text!r} is no language code; give one such as en, de or zh-CN.")
    return text or "en"


def read_keywords(text: str, language: str) -> tuple[str, ...]:
    """Keywords with commas between them; each must hold a word that says something."""
    keywords = split_keywords(text)
    analyzer = Analyzer(language, None, keywords)
    for keyword in keywords:
        if not len(analyzer.bag(keyword)):
            raise TopicError(f"the keyword {shortened(keyword)!r} says nothing; give other words.")
    return keywords


def keyword_advice(keywords: tuple[str, ...], language: str) -> str:
    """What WordNet knows of the keywords, in a line; empty where there are none."""
    if not keywords:
        return ""
    if not is_english(language):
        return "WordNet is English; the keywords are compared as they are written"
    analyzer = Analyzer(language, None, keywords)
    readings = [read_keyword(keyword, analyzer) for keyword in keywords]
    known = [_known(reading) for reading in readings if reading.nouns]
    unknown = [shortened(reading.keyword) for reading in readings if not reading.nouns]
    parts = [f"known to WordNet: {', '.join(known)}"] if known else []
    parts += [f"compared as written: {', '.join(unknown)}"] if unknown else []
    return "; ".join(parts)


def _known(reading: KeywordSenses) -> str:
    """The keyword; where WordNet knows only words of it, these too."""
    name = shortened(reading.keyword)
    return name if reading.is_noun else f"{name} (by {', '.join(map(shortened, reading.nouns))})"


def read_seed(text: str) -> str:
    """A canonical URL."""
    try:
        return canonical(text)
    except MalformedUrlError as error:
        raise TopicError(f"{error}; give an address such as https://example.org/.") from None


def read_example(text: str, folder: Path) -> str:
    """An address, a file in ``folder`` (or with its path), or a text of some words."""
    if is_url(text):
        return read_seed(text)
    if is_file_name(text):
        path = folder / Path(text.strip()).expanduser()
        if not path.is_file():
            raise TopicError(f"there is no file {path}; give another one, an address or a text.")
        return text
    if len(text.split()) < _LEAST_WORDS:
        raise TopicError(
            f"{shortened(text)!r} is no address, no .html or .txt file, and too short for a text; "
            "give another example."
        )
    return text


def read_pattern(text: str, named: Sequence[str] = ()) -> str:
    """A pattern of addresses to leave out.

    SettingsError where it cannot be read, matches every URL or none, or one of the addresses in
    ``named``, which a person gave before.
    """
    check_url_rules((), (), (), (text,))
    for advice in pattern_warnings("exclude", (text,)):
        raise SettingsError(advice)
    pattern = UrlPatterns((text,))
    for url in filter(pattern.match, map(canonical, filter(is_url, named))):
        raise SettingsError(
            f"exclude {text!r} matches {url}, which you have given; write a narrower pattern."
        )
    return text


# ``scenthound init``: asks a few questions and writes a commented topic file.


_NEEDS_EXAMPLE = (
    "there are no keywords, so the topic needs an example page; give one (Ctrl-C ends)."
)


def _many(name: str, metavar: str, text: str) -> object:
    return typer.Option(name, metavar=metavar, help=f"{text}; may repeat.", show_default=False)


TopicPath = Annotated[Path, typer.Argument(metavar="FILE", help="Topic file to write.")]

Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name [default: the first keyword].")
]

Language = Annotated[
    str | None, typer.Option(metavar="CODE", help="Language of the topic [default: en].")
]

Keywords = Annotated[
    str | None, typer.Option(metavar="WORDS", help="Keywords, with commas between them.")
]

Seeds = Annotated[list[str] | None, _many("--seed", "URL", "Where a crawl starts")]

Examples = Annotated[
    list[str] | None, _many("--example", "PAGE", "A page about the topic: address, file or text")
]

Excluded = Annotated[
    list[str] | None, _many("--exclude", "PATTERN", "Addresses that are never followed")
]

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; what is not given is empty.")]

Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def init(
    file: TopicPath = Path("topic.toml"),
    name: Name = None,
    keywords: Keywords = None,
    seeds: Seeds = None,
    examples: Examples = None,
    exclude: Excluded = None,
    language: Language = None,
    yes: Yes = False,
    force: Force = False,
) -> None:
    """Write a topic file, after a few questions.

    Every answer can be given as an option; with --yes nothing is asked.
    """
    _check_target(file, force)
    asks = not yes and is_interactive()
    if not asks and not keywords and not examples:
        raise SettingsError(
            "there is no terminal to ask on, or --yes was given; "
            'give --keywords "typhoon, storm surge" or --example PAGE.'
        )
    tongue = _answer(language, "Language of the topic, as a code [en]", read_language, asks)
    words = _answer(keywords, "Keywords, with commas between them", partial(_words, tongue), asks)
    label = _answer(name, f"Name of the topic {_brackets(words)}", partial(_name, words), asks)
    starts = _answers(seeds, "Seeds: addresses where a crawl starts", read_seed, asks)
    pages = _answers(
        examples,
        "Example pages: addresses, .html or .txt files, or texts",
        partial(read_example, folder=file.parent),
        asks,
        "" if words else _NEEDS_EXAMPLE,
    )
    left_out = _answers(
        exclude,
        "Addresses to leave out, with * and ?",
        partial(read_pattern, named=(*starts, *pages)),
        asks,
    )
    topic = Topic(label, words, starts, pages, left_out, tongue)
    _write(file, topic)
    _print_next_step(file, topic)


def _answer(given: str | None, question: str, read: Callable[[str], Parsed], asks: bool) -> Parsed:
    """What an option says, else the answer to a question, else what ``read`` makes of nothing."""
    if given is None and asks:
        return prompt(question, read)
    return read((given or "").strip())


def _answers(
    given: Sequence[str] | None,
    question: str,
    read: Callable[[str], str],
    asks: bool,
    needed: str = "",
) -> tuple[str, ...]:
    """The same for a list; ``needed`` says why it cannot be empty, where it cannot."""
    if given is None and asks:
        return prompt_many(question, read, needed)
    return tuple(dict.fromkeys(map(read, given or ())))


def _words(language: str, text: str) -> tuple[str, ...]:
    """The keywords; what WordNet knows of them is reported at once."""
    keywords = read_keywords(text, language)
    advice = keyword_advice(keywords, language)
    if advice:
        notices().print(plain(advice), style="dim", soft_wrap=True)
    return keywords


def _name(keywords: Sequence[str], text: str) -> str:
    if not text and not keywords:
        raise TopicError("a topic without keywords needs a name; give one.")
    return text or keywords[0]


def _brackets(keywords: Sequence[str]) -> str:
    """The name that is taken where none is given, for the question."""
    return f"[{shortened(keywords[0])}]" if keywords else ""


def _check_target(file: Path, force: bool) -> None:
    """Find out before anything is asked that nothing could be written there."""
    if file.is_dir():
        raise SettingsError(f"{file} is a folder; give the name of a file, such as storms.toml.")
    if file.exists() and not force:
        raise SettingsError(f"{file} is there already; give another name, or --force.")
    if not file.parent.is_dir():
        raise SettingsError(f"{file}: there is no folder {file.parent}; make it first.")
    try:
        check_replaceable(file.resolve())
    except OSError as error:
        raise SettingsError(
            f"{file} cannot be written: {error.strerror}; give another name."
        ) from None


def _write(file: Path, topic: Topic) -> None:
    try:
        write_bytes(file, topic_text(topic).encode())
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{file} cannot be written: {error}.") from None


def _print_next_step(file: Path, topic: Topic) -> None:
    if topic.seeds:
        step = shlex.join(
            ["scenthound", "crawl", "--topic", str(file), "--out", f"{file.stem}-crawl"]
        )
    else:
        step = command("seeds", file, "--searxng", "URL")
    lines = (f"wrote {file}", f"next: {step}")
    for line in lines:
        notices().print(plain(line), soft_wrap=True)
