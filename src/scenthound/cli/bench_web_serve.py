"""``scenthound bench-web --serve``: a web of the benchmark on this machine, for any crawler."""

from __future__ import annotations

import shlex
from pathlib import Path

from rich.console import Console

from scenthound.cli.demo_serve import listening, wait_for_ever
from scenthound.cli.screen import plain
from scenthound.comparison.bench_files import SEEDS, TOPICS, write_for_others
from scenthound.comparison.open_web import NAME, budget_of, fingerprint, one_web
from scenthound.core.errors import SettingsError
from scenthound.sample import SampleWeb


def serve_bench(
    number: int, out: Path | None, port: int, with_labels: bool, screen: Console
) -> None:
    """Serve a web of the benchmark as a proxy on loopback until Ctrl-C.

    Parameters
    ----------
    number : of the web.
    out : gets what a crawler may know beforehand; None for nothing.
    port : to listen at; SettingsError where it is taken.
    with_labels : write the labels too.
    screen : where it is said how to crawl it.
    """
    if with_labels and out is None:
        raise SettingsError("--with-labels needs --out, where the labels go; give a folder.")
    web = one_web(number)
    with listening(web, port) as server:
        if out is not None:
            write_for_others(web, out, with_labels)
        _tell(web, out, server.proxy, screen)
        try:
            wait_for_ever()
        except KeyboardInterrupt:
            screen.print("The web is no longer served.")


def _tell(web: SampleWeb, out: Path | None, proxy: str, screen: Console) -> None:
    lines = [
        f"{NAME}, web {web.seed} (fingerprint {fingerprint(web)}), is served by the proxy {proxy}.",
        "Crawl it with any crawler through that proxy (http_proxy), and write down the URLs in the "
        "order of fetching. Fetches that count, by topic: "
        + ", ".join(f"{each.name} {budget_of(web, each.name)}" for each in web.topics)
        + ".",
    ]
    if out is not None:
        lines.append(f"Topics are in {out / TOPICS}, their seeds in {out / SEEDS}.")
    topic = shlex.quote(web.topics[0].name)
    lines.append(f"Then: scenthound bench-web --score FILE --web {web.seed} --topic {topic}")
    lines.append("Ctrl-C ends it.")
    for line in lines:
        screen.print(plain(line), soft_wrap=True)
