"""Files that a topic names: which they are, and where they are found from another folder."""

from __future__ import annotations

import os
import threading
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import TopicError
from scenthound.core.model import Topic
from scenthound.similarity.topic_file import (
    MAX_WARNINGS,
    is_file_name,
    is_url,
    named_files,
    quick_topic,
    read_seeds,
    read_topic,
    split_keywords,
    topic_text,
    with_absolute_paths,
)

WORDS = ("http://a.test/b.html", "a text of storms, and of floods")


def test_example_pages_and_the_ontology_are_files() -> None:
    topic = Topic("storms", examples=("a.html", *WORDS, " ../b.txt"), ontology="o.owl")
    assert named_files(topic) == ["a.html", " ../b.txt", "o.owl"]
    assert named_files(Topic("storms", ("storm",), examples=WORDS)) == []
    for text, url, file in [
        ("http://a.test/x.html", True, False),
        (" HTTPS://a.test", True, False),
        ("x.HTML", False, True),
        ("x.txt ", False, True),
        ("about x.html\nand more.txt", False, False),
        ("plain text", False, False),
        ("", False, False),
    ]:
        assert (is_url(text), is_file_name(text)) == (url, file)


def test_whole_paths_stand_wherever_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    topic = Topic("s", examples=("a.html", *WORDS, " ../b.txt"), ontology="o.owl", file="t.toml")
    whole = with_absolute_paths(topic)
    assert whole.examples == (f"{tmp_path}/a.html", *WORDS, f"{tmp_path}/../b.txt")
    assert (whole.ontology, whole.file) == (f"{tmp_path}/o.owl", f"{tmp_path}/t.toml")
    monkeypatch.chdir("/")
    assert with_absolute_paths(whole) == whole
    # The topic file that is read by its whole path says the same.
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "t.toml").write_text('name = "s"\nexamples = ["a.html", "../b.txt"]')
    monkeypatch.chdir(tmp_path)
    for name in ("in/t.toml", "in/../in/t.toml", "./in/t.toml"):
        read = with_absolute_paths(read_topic(name))
        assert read.file is not None and read_topic(read.file) == read


def test_the_first_keyword_names_the_topic() -> None:
    assert split_keywords(" typhoon,storm   surge,, typhoon ") == ("typhoon", "storm surge")
    for keywords in ("typhoon, storm surge", ["typhoon", " storm surge "]):
        topic = quick_topic(keywords, ["http://a.test", "http://a.test"])
        assert (topic.name, topic.keywords) == ("typhoon", ("typhoon", "storm surge"))
        assert topic.seeds == ("http://a.test/",)
    nothing: list[str | list[str]] = ["", " , ", [], [" "]]
    for empty in nothing:
        with pytest.raises(TopicError, match="no keyword"):
            quick_topic(empty, ())


def read(tmp_path: Path, content: bytes) -> tuple[tuple[str, ...], list[str]]:
    path = tmp_path / "seeds.txt"
    path.write_bytes(content)
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        return read_seeds(path), [str(each.message) for each in reported]


def test_a_url_a_line_with_comments_blanks_and_a_mark(tmp_path: Path) -> None:
    content = "\ufeffhttp://a.test/1 # mine\r\n\r\n  # all of it\n\t HTTP://B.test \n"
    assert read(tmp_path, content.encode()) == (("http://a.test/1", "http://b.test/"), [])
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"http://a.test/\n",))
    writer.start()
    assert read_seeds(pipe) == ("http://a.test/",)
    writer.join()


def test_junk_is_reported_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    content = (
        b"http://a.test/\nftp://b.test/\nhttp://c.test/ http://d.test/\n\xff\xfe\nhttp://e.test"
    )
    found, reported = read(tmp_path, content)
    assert found == ("http://a.test/", "http://e.test/")
    lines = [f"line {number} is left out" for number in (2, 3, 4)]
    assert all(line in text for line, text in zip(lines, reported, strict=True))
    assert "'ftp://b.test/' is not an http or https URL" in reported[0]
    found, reported = read(tmp_path, b"http://a.test/\n" + b"junk\n" * (MAX_WARNINGS + 7))
    assert found == ("http://a.test/",)
    assert len(reported) == MAX_WARNINGS + 1
    assert reported[-1].endswith("left out: 7")
    rows = b"http://a.test/\nhttp://a.test/1.html,storm\nhttp://a.test/2.html;wind and rain\n"
    found, reported = read(tmp_path, rows.replace(b" and rain", b""))
    assert found[1] == "http://a.test/1.html%2Cstorm"
    assert len(reported) == 1
    assert "line 2 looks like a row of a table" in reported[0] and "(so in 2 lines)" in reported[0]
    paths = ("0,1518,700.html", "x,y/z", "52,13", "x;jsessionid=ab", "?q=a,b", "x;p=1?q=a,b")
    text = "\n".join(f"http://a.test/{path}" for path in paths)
    assert read(tmp_path, text.encode())[1] == []


def test_a_file_of_seeds_that_cannot_be_used(tmp_path: Path) -> None:
    for content in [b"", b"# nothing\n\n", b"junk\n", b"\x00\x01\x02"]:
        with pytest.raises(TopicError, match="holds no URL"):
            read(tmp_path, content)
    for encoding in ["utf-16", "utf-16-le", "utf-16-be"]:
        with pytest.raises(TopicError, match="is in UTF-16; save it as UTF-8"):
            read(tmp_path, "http://a.test/1\nhttp://b.test/2\n".encode(encoding))
    with pytest.raises(TopicError, match="No such file"):
        read_seeds(tmp_path / "none.txt")
    with pytest.raises(TopicError, match="Is a directory"):
        read_seeds(tmp_path)


# Topic files: what they may say, and the one sentence that tells what is wrong with one.

MINIMAL = 'name = "storms"\nkeywords = ["storm"]\n'


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "topic.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def complaint(path: Path) -> str:
    """The sentence; it must name the file, and be one."""
    with pytest.raises(TopicError) as caught:
        read_topic(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message and message.endswith((".", "?"))
    return message.replace(str(path), "FILE")


def test_every_key(tmp_path: Path) -> None:
    content = """
        name = "storms"
        keywords = ["storm", "storm surge"]
        seeds = ["HTTP://A.test"]
        examples = ["http://a.test/x.html", "page.html", "some text"]
        exclude = ["*print*"]
        language = "de"
        ontology = "storms.owl"
    """
    assert read_topic(written(tmp_path, content)) == Topic(
        name="storms",
        keywords=("storm", "storm surge"),
        seeds=("http://a.test/",),
        examples=("http://a.test/x.html", str(tmp_path / "page.html"), "some text"),
        exclude=("*print*",),
        language="de",
        ontology=str(tmp_path / "storms.owl"),
    )
    for mark in ("", "\ufeff"):
        assert read_topic(written(tmp_path, mark + MINIMAL)) == Topic("storms", ("storm",))


def test_absolute_and_home_paths_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    content = MINIMAL + 'examples = ["/data/a.html", "~/b.txt", "../c.htm"]'
    assert read_topic(written(tmp_path, content)).examples == (
        "/data/a.html",
        "/home/me/b.txt",
        str(tmp_path / "../c.htm"),
    )
    unknown = MINIMAL + 'examples = ["~nobody-of-that-name/b.txt"]'
    assert "no home folder" in complaint(written(tmp_path, unknown))


def test_unusable_file(tmp_path: Path) -> None:
    cases: list[tuple[str | bytes, str]] = [
        ('keywords = ["storm"]', "there is no name"),
        ('name = " "\nkeywords = ["storm"]', "needs a name"),
        ('name = 3\nkeywords = ["storm"]', "name must be a text in quotes, not 3"),
        ('name = "t"\nkeywords = "storm"', "keywords must be a list of texts"),
        ('name = "t"\nkeywords = ["storm", 3]', "keywords must be a list of texts"),
        ('name = "t"\nkeywords = ["x"]\nontology = 1', "ontology must be a text in quotes"),
        ('name = "t"\nkeywords = ["x"]\nontology = " "', "ontology is empty; give the name of a"),
        ('name = "t"', "is empty: give it keywords or examples"),
        ('name = "t"\nkeywords = ["x"]\nseeds = ["a.test"]', "a seed is no URL"),
        ('name = "t"\nkeywords = ["x"]\nseeds = ["ftp://a.test/"]', "a seed is no URL"),
        ("name = storms", "is not valid TOML"),
        ("name = " + "9" * 5_000, "is not valid TOML"),
        ("name = " + "[" * 50_000, "is not valid TOML"),
        (b"name = '\xff'", "is not valid TOML"),
        ("", "there is no name"),
    ]
    for content, says in cases:
        assert says in complaint(written(tmp_path, content))
    assert "No such file" in complaint(tmp_path / "none.toml")
    assert "directory" in complaint(tmp_path)
    for typo, meant in [("keyword", "keywords"), ("nane", "name")]:
        message = complaint(written(tmp_path, MINIMAL + f'{typo} = ["x"]'))
        assert message.startswith(f"topic file FILE: unknown key {typo!r}; did you mean {meant!r}")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


def read_back(topic: Topic, folder: Path) -> Topic:
    path = folder / "t.toml"
    path.write_bytes(topic_text(topic).encode())
    return read_topic(path)


@given(name=TEXTS, keywords=st.lists(TEXTS, min_size=1), exclude=st.lists(st.text(max_size=5)))
def test_it_reads_back_as_the_same_topic(
    tmp_path_factory: pytest.TempPathFactory, name: str, keywords: list[str], exclude: list[str]
) -> None:
    topic = Topic(name, tuple(keywords), ("http://a.test/",), exclude=tuple(exclude))
    folder = tmp_path_factory.mktemp("written")
    assert read_back(topic, folder) == topic


def test_every_key_is_there_with_a_comment(tmp_path: Path) -> None:
    topic = Topic("storms", ("typhoon",), examples=("http://a.test/1",), language="de")
    text = topic_text(topic)
    assert read_back(topic, tmp_path) == topic
    for key in ("name", "language", "keywords", "seeds", "examples", "exclude"):
        before = text.split(f"\n{key} = ")[0].splitlines()[-1]
        assert before.startswith("# ")
    other = Topic("storms", ("typhoon",), ontology=str(tmp_path / 'a "b".owl'))
    assert read_back(other, tmp_path) == other
    assert "ontology" not in topic_text(Topic("storms", ("typhoon",)))
