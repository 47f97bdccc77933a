"""``scenthound forget``: take a crawl that nobody works for from its server."""

from __future__ import annotations

from scenthound import api
from scenthound.cli.screen import notices, plain
from scenthound.cli.shared_options import RedisUrl, SharedName, on_server


def forget(redis: RedisUrl = None, crawl: SharedName = None) -> None:
    """Take a crawl that nobody works for any more from its server.

    The folders of its workers stay as they are; merge them first or later. It cannot go on then.
    """
    shared = on_server(redis, crawl)
    count = api.forget_shared(shared.redis, shared.crawl)
    told = f"{shared.crawl!r} is no longer on the server ({count:,} keys); its folders stay"
    notices().print(plain(told), soft_wrap=True)
