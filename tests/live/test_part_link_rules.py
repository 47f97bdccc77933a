"""Which addresses a live crawl follows."""

from __future__ import annotations

import pytest

from scenthound.live.link_rules import LiveRules


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("http://a.test/x", None),
        ("http://127.0.0.1/", "private address"),
        ("http://10.0.0.1:8080/x", "private address"),
        ("http://router.local/", "private address"),
        ("http://a.test/menu/menu/menu/menu/", "path repetition"),
        ("http://a.test/calendar/2031/05", "calendar"),
    ],
)
def test_addresses(name: str, reason: str | None) -> None:
    assert LiveRules(2025, allow_private=False).refusal(name) == reason


def test_private_addresses_may_be_allowed_traps_never() -> None:
    rules = LiveRules(2025, allow_private=True)
    assert rules.refusal("http://10.0.0.1/x") is None
    assert rules.refusal("http://10.0.0.1/menu/menu/menu/menu/") == "path repetition"


def test_session_ids_are_taken_off() -> None:
    rules = LiveRules(2025, allow_private=False)
    assert rules.clean("http://a.test/x;jsessionid=AB12?q=1") == "http://a.test/x?q=1"


def test_an_endless_calendar_is_counted_over_all_runs() -> None:
    days = [f"http://a.test/log/{y}/{m:02}/{d:02}/" for y in (2023, 2024) for m in range(1, 13)
            for d in range(1, 28)]  # fmt: skip
    rules = LiveRules(2025, allow_private=False)
    assert {rules.refusal(day) for day in days[:300]} == {None}
    again = LiveRules(2025, allow_private=False)
    again.restore(rules.state())
    reasons = [again.refusal(day) for day in days[300:]]
    assert reasons == [rules.refusal(day) for day in days[300:]]
    assert reasons[-1] == "endless calendar"
