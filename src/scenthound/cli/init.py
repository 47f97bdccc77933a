"""``scenthound init``: ask a few questions and write a commented topic file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from scenthound.cli.options import FORCE, argument, option, switch
from scenthound.cli.screen import Parsed, is_interactive, prompt, prompt_many, say
from scenthound.core.errors import MalformedUrlError, SettingsError, TopicError
from scenthound.core.model import Topic
from scenthound.core.patterns import UrlPatterns, pattern_warnings
from scenthound.core.scope import check_url_rules
from scenthound.core.urls import canonical
from scenthound.crawler.argument_checks import command
from scenthound.similarity.topic_file import is_file_name, is_url, split_keywords, topic_text
from scenthound.similarity.topic_senses import read_keyword, shortened
from scenthound.storage.files import check_target, write_bytes
from scenthound.text.analyzer import Analyzer
from scenthound.text.languages import primary_language
from scenthound.text.rules import is_english

_LEAST_WORDS = 5
_NEEDS_EXAMPLE = (
    "there are no keywords, so the topic needs an example page; give one (Ctrl-C ends)."
)


def init(
    file: Path = argument(
        "FILE", "Topic file to write. [default: topic.toml]", default=Path("topic.toml")
    ),
    name: str | None = option("NAME", "Name of the topic. [default: the first keyword]"),
    keywords: str | None = option("WORDS", "Keywords, separated by commas."),
    seeds: list[str] | None = option("URL", "URL where a crawl starts; may be repeated.", "--seed"),
    examples: list[str] | None = option(
        "PAGE", "Page about the topic: URL, file or text; may be repeated.", "--example"
    ),
    exclude: list[str] | None = option("PATTERN", "URLs that are never followed; may be repeated."),
    language: str | None = option("CODE", "Language of the topic. [default: en]"),
    yes: bool = switch("--yes -y", "Ask nothing; options that are not given stay empty."),
    force: bool = FORCE,
) -> None:
    """Write a topic file, after a few questions.

    Every answer can be given as an option; with --yes nothing is asked.
    """
    check_target(file, force=force)
    asks = not yes and is_interactive()
    if not asks and not keywords and not examples:
        raise SettingsError(
            "there is no terminal to ask on, or --yes was given; "
            'give --keywords "typhoon, storm surge" or --example PAGE.'
        )
    code = _one_value(language, "Language of the topic, as a code [en]", read_language, asks)
    words = _one_value(
        keywords, "Keywords, separated by commas", partial(read_keywords, code), asks
    )
    default = f"[{shortened(words[0])}]" if words else ""
    label = _one_value(name, f"Name of the topic {default}", partial(_read_name, words), asks)
    starts = _values(seeds, "Seeds: URLs where a crawl starts", read_seed, asks)
    pages = _values(
        examples,
        "Example pages: URLs, .html or .txt files, or texts",
        partial(read_example, folder=file.parent),
        asks,
        "" if words else _NEEDS_EXAMPLE,
    )
    left_out = _values(
        exclude,
        "URLs to leave out, as patterns with * and ?",
        partial(read_pattern, named=(*starts, *pages)),
        asks,
    )
    topic = Topic(label, words, starts, pages, left_out, code)
    try:
        write_bytes(file, topic_text(topic).encode())
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{file} cannot be written: {error}.") from None
    say(f"wrote {file}")
    crawl = ["scenthound", "crawl", "--topic", str(file), "--out", f"{file.stem}-crawl"]
    step = shlex.join(crawl) if topic.seeds else command("seeds", file, "--searxng", "URL")
    say(f"next: {step}")


def _one_value(
    given: str | None, question: str, read: Callable[[str], Parsed], asks: bool
) -> Parsed:
    """The value of an option, else the answer to a question, else the default of ``read``."""
    if given is None and asks:
        return prompt(question, read)
    return read((given or "").strip())


def _values(
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


# Each answer is checked at once, so that it can be asked for again.


def read_language(text: str) -> str:
    """A language code; English where nothing is given."""
    if text and primary_language(text) is None:
        raise TopicError(f"{text!r} is no language code; give one such as en, de or zh-CN.")
    return text or "en"


def read_keywords(language: str, text: str) -> tuple[str, ...]:
    """Keywords, each with a word that is no stop word; prints which of them WordNet knows."""
    keywords = split_keywords(text)
    analyzer = Analyzer(language, None, keywords)
    for keyword in keywords:
        if not len(analyzer.bag(keyword)):
            raise TopicError(
                f"the keyword {shortened(keyword)!r} has only stop words; give other words."
            )
    if keywords:
        say(keyword_advice(keywords, language), style="dim")
    return keywords


def keyword_advice(keywords: tuple[str, ...], language: str) -> str:
    """Which of the keywords WordNet knows, in a line."""
    if not is_english(language):
        return "WordNet is English; the keywords are compared as they are written"
    analyzer = Analyzer(language, None, keywords)
    known, unknown = [], []
    for keyword in keywords:
        reading, name = read_keyword(keyword, analyzer), shortened(keyword)
        if not reading.nouns:
            unknown.append(name)
        elif reading.is_noun:
            known.append(name)
        else:  # WordNet knows only words of it
            known.append(f"{name} (by {', '.join(map(shortened, reading.nouns))})")
    parts = [f"known to WordNet: {', '.join(known)}"] if known else []
    parts += [f"compared as written: {', '.join(unknown)}"] if unknown else []
    return "; ".join(parts)


def _read_name(keywords: Sequence[str], text: str) -> str:
    if not text and not keywords:
        raise TopicError("a topic without keywords needs a name; give one.")
    return text or keywords[0]


def read_seed(text: str) -> str:
    """A canonical URL."""
    try:
        return canonical(text)
    except MalformedUrlError as error:
        raise TopicError(f"{error}; give a URL such as https://example.org/.") from None


def read_example(text: str, folder: Path) -> str:
    """A URL, a file in ``folder`` (or with its path), or a text of some words."""
    if is_url(text):
        return read_seed(text)
    if is_file_name(text):
        path = folder / Path(text.strip()).expanduser()
        if not path.is_file():
            raise TopicError(f"there is no file {path}; give another one, a URL or a text.")
        return text
    if len(text.split()) < _LEAST_WORDS:
        raise TopicError(
            f"{shortened(text)!r} is no URL, no .html or .txt file, and too short for a text; "
            "give another example."
        )
    return text


def read_pattern(text: str, named: Sequence[str] = ()) -> str:
    """A pattern of URLs to leave out.

    SettingsError where it cannot be read, matches every URL or none, or one of the URLs in
    ``named``, which the user gave before.
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
