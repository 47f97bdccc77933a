"""Topic files: what they may say, and the one sentence that tells what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.errors import TopicError
from scenthound.core.model import Topic
from scenthound.topics.file import is_file_name, is_url, read_topic

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


def test_what_is_left_out_is_empty(tmp_path: Path) -> None:
    assert read_topic(written(tmp_path, MINIMAL)) == Topic("storms", ("storm",))


def test_path_may_be_a_text(tmp_path: Path) -> None:
    assert read_topic(str(written(tmp_path, MINIMAL))).name == "storms"


def test_byte_order_mark_is_passed(tmp_path: Path) -> None:
    assert read_topic(written(tmp_path, b"\xef\xbb\xbf" + MINIMAL.encode())).name == "storms"


def test_windows_line_ends(tmp_path: Path) -> None:
    assert read_topic(written(tmp_path, MINIMAL.replace("\n", "\r\n"))).keywords == ("storm",)


def test_absolute_and_home_paths_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    content = MINIMAL + 'examples = ["/data/a.html", "~/b.txt", "../c.htm"]'
    assert read_topic(written(tmp_path, content)).examples == (
        "/data/a.html",
        "/home/me/b.txt",
        str(tmp_path / "../c.htm"),
    )


def test_unknown_home_folder(tmp_path: Path) -> None:
    content = MINIMAL + 'examples = ["~nobody-of-that-name/b.txt"]'
    assert "no home folder" in complaint(written(tmp_path, content))


@pytest.mark.parametrize(
    ("typo", "meant"),
    [("keyword", "keywords"), ("seed", "seeds"), ("example", "examples"), ("nane", "name")],
)
def test_typo_in_a_key(tmp_path: Path, typo: str, meant: str) -> None:
    message = complaint(written(tmp_path, MINIMAL + f'{typo} = ["x"]'))
    assert message.startswith(f"topic file FILE: unknown key {typo!r}; did you mean {meant!r}")


def test_key_unlike_any_other_lists_the_keys(tmp_path: Path) -> None:
    assert "choose one of: examples, exclude" in complaint(written(tmp_path, MINIMAL + "zzz = 1"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('keywords = ["storm"]', "there is no name"),
        ('name = " "\nkeywords = ["storm"]', "needs a name"),
        ('name = 3\nkeywords = ["storm"]', "name must be a text in quotes, not 3"),
        ('name = "t"\nkeywords = "storm"', "keywords must be a list of texts"),
        ('name = "t"\nkeywords = ["storm", 3]', "keywords must be a list of texts"),
        ('name = "t"\nseeds = {a = 1}', "seeds must be a list of texts"),
        ('name = "t"\nkeywords = ["x"]\nlanguage = ["en"]', "language must be a text in quotes"),
        ('name = "t"\nkeywords = ["x"]\nontology = 1', "ontology must be a text in quotes"),
        ('name = "t"\nkeywords = ["x"]\nontology = " "', "ontology is empty; give the name of a"),
        ('name = "t"', "is empty: give it keywords or examples"),
        ('name = "t"\nkeywords = ["", " "]\nexamples = []', "is empty"),
        ('name = "t"\nkeywords = ["x"]\nseeds = ["a.test"]', "a seed is no URL"),
        ('name = "t"\nkeywords = ["x"]\nseeds = ["ftp://a.test/"]', "a seed is no URL"),
        ('name = "t"\nkeywords = ["x"]\nseeds = [""]', "a seed is no URL"),
        ("name = storms", "is not valid TOML"),
        ("name = " + "9" * 5_000, "is not valid TOML"),
        ("name = " + "[" * 50_000, "is not valid TOML"),
        (b"name = '\xff'", "is not valid TOML"),
        (b"\xff\xfen\x00", "is not valid TOML"),
        ("", "there is no name"),
    ],
)
def test_unusable_file(tmp_path: Path, content: str | bytes, says: str) -> None:
    assert says in complaint(written(tmp_path, content))


def test_file_that_is_not_there_or_a_folder(tmp_path: Path) -> None:
    assert "No such file" in complaint(tmp_path / "none.toml")
    assert "directory" in complaint(tmp_path)


@pytest.mark.parametrize(
    ("text", "url", "file"),
    [
        ("http://a.test/x.html", True, True),
        (" HTTPS://a.test", True, False),
        ("x.HTML", False, True),
        ("x.txt ", False, True),
        ("about x.html\nand more.txt", False, False),
        ("plain text", False, False),
        ("", False, False),
    ],
)
def test_kinds_of_examples(text: str, url: bool, file: bool) -> None:
    assert (is_url(text), is_file_name(text)) == (url, file)
