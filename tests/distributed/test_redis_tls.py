"""An encrypted connection: whom to trust, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from distributed.tls_server import behind_tls
from scenthound.core.errors import SettingsError
from scenthound.distributed.crawls import crawl_names
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.server import open_server


def test_a_certificate_that_is_trusted(server_url: str, server: Redis, tmp_path: Path) -> None:
    unix_socket = server_url.removeprefix("unix://")
    with behind_tls(unix_socket, tmp_path) as (port, certificate):
        url = f"rediss://127.0.0.1:{port}"
        with open_server(f"{url}?ssl_ca_certs={certificate}", tries=0) as client:
            assert len(RedisFrontier(client, "crawl")) == 0
            assert crawl_names(client) == []
        with pytest.raises(SettingsError, match="check the certificate"):
            open_server(url, tries=0)
