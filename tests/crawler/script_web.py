"""A web for the scripts of a page: answers by script, without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from scrapy.http import Response

from scenthound.fetch.subresources import Rule, Subresource, SubresourceRequest, Subresources

PAGE = "http://a.test/page"
XHR = SubresourceRequest(PAGE, "http://a.test/data", "fetch", "GET", {})
SCRIPT = replace(XHR, kind="script")


class Web:
    """Answers by script, and notes who asked."""

    def __init__(self, *answers: Response) -> None:
        self._answers = {answer.url: answer for answer in answers}
        self.asked: list[tuple[str, Mapping[str, str], bool]] = []

    async def download(self, url: str, headers: Mapping[str, str], signed: bool) -> Response:
        self.asked.append((url, dict(headers), signed))
        await asyncio.sleep(0)
        return self._answers[url]

    @property
    def urls(self) -> list[str]:
        return [url for url, _, _ in self.asked]

    def fetch(
        self,
        *wanted: SubresourceRequest,
        allow_private: bool = False,
        denied: Rule = lambda _: False,
        opens: Rule = lambda _: False,
        at_once: bool = False,
    ) -> list[Subresource | None]:
        made = Subresources(self.download, allow_private, 1_000, denied, opens)

        async def all_of_them() -> list[Subresource | None]:
            if at_once:
                return await asyncio.gather(*map(made.fetch, wanted))
            return [await made.fetch(each) for each in wanted]

        return asyncio.run(all_of_them())


def data(url: str = XHR.url, body: bytes = b"{}", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, headers=named, body=body)


def moved(url: str, target: str) -> Response:
    return Response(url, status=302, headers={"Location": target})
