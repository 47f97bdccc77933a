from __future__ import annotations

import pytest

from scenthound.seeding.means import is_nearby


@pytest.mark.parametrize(
    "host",
    ["localhost:8080", "127.0.0.1:8080", "192.168.1.5", "[::1]:80", "searxng:8080", "s.local"],
)
def test_a_proxy_could_not_reach_these(host: str) -> None:
    assert is_nearby(f"http://{host}/")


@pytest.mark.parametrize("host", ["searx.example.org", "8.8.8.8:8080", "[2606:4700::1111]:8080"])
def test_all_others_are_far(host: str) -> None:
    assert not is_nearby(f"http://{host}/")
