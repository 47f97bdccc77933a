"""``scenthound demo --serve``: the embedded sample web on this machine, for crawls of your own."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from scenthound.cli.screen import plain
from scenthound.core.errors import SettingsError
from scenthound.sample import SampleWeb
from scenthound.sample.server import WebServer

DEFAULT_PORT = 8190


def serve_sample(web: SampleWeb, folder: Path, topic: str, port: int, screen: Console) -> None:
    """Serve the sample web as a proxy on loopback until Ctrl-C.

    Parameters
    ----------
    web : what to serve.
    folder : where its topic files lie.
    topic : that the advice is about.
    port : to listen at; SettingsError where it is taken.
    screen : where it is said how to crawl it.
    """
    with listening(web, port) as server:
        screen.print(plain(f"It is served by the proxy {server.proxy}; crawl it with:"))
        screen.print(plain(f"  {_advice(folder, topic, server.proxy)}"), soft_wrap=True)
        screen.print("Ctrl-C ends it.")
        try:
            wait_for_ever()
        except KeyboardInterrupt:
            screen.print("The sample web is no longer served.")


def wait_for_ever() -> None:
    """Until a signal."""
    threading.Event().wait()


@contextmanager
def listening(web: SampleWeb, port: int) -> Iterator[WebServer]:
    """A web as a proxy at a port; SettingsError where that is taken."""
    server = WebServer(web.responses, port=port)
    try:
        server.__enter__()
    except OSError as error:
        raise SettingsError(f"--port {port}: {error.strerror}; give another one.") from None
    try:
        yield server
    finally:
        server.__exit__(None, None, None)


def _advice(folder: Path, topic: str, proxy: str) -> str:
    file = folder / "topics" / f"{topic.replace(' ', '-')}.toml"
    typed = ["crawl", "--topic", str(file), "--out", "DIR", "--proxy", proxy]
    return shlex.join(["scenthound", *typed])
