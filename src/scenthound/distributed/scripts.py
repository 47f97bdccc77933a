"""The steps that the server takes as one: the files ``lua/*.lua``, by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redis import Redis

Argument = str | bytes | int | float
Step = tuple[str, str, Sequence[Argument]]
"""Name of a script, its key, its arguments."""
_SHARED = ("base", "hosts", "leases", "waking")
"""Files with what several scripts need, each after those before it."""
_LAST_NEEDED = {
    "shape": None, "claim": None, "states": None, "rows": None, "number": None, "left": None,
    "elect": None, "resign": None, "teach": None, "news": None, "fold": None,
    "weights": None, "publish": None, "begin": None, "create": None, "give_back": None,
    "everything": None, "sums": None, "time": None, "bury": None, "forget": None,
    "worst": "base", "best": "base",
    "slow_down": "hosts", "rest": "hosts", "write": "hosts", "drop": "hosts",
    "close": "leases", "retry": "leases", "put_back": "leases", "answered": "leases",
    "take": "leases", "draw": "leases", "recover": "leases", "reopen": "leases",
    "set_aside": "leases", "wake": "waking", "lease": "waking",
}  # fmt: skip
"""The last of them that a script needs."""


@cache
def source_of(name: str) -> str:
    """The text of a script, with what it shares with others before it."""
    folder = files("scenthound.distributed") / "lua"
    last = _LAST_NEEDED[name]
    needed = () if last is None else _SHARED[: _SHARED.index(last) + 1]
    return "".join((folder / f"{it}.lua").read_text(encoding="utf-8") for it in (*needed, name))


@cache
def _digest(name: str) -> str:
    return sha1(source_of(name).encode(), usedforsecurity=False).hexdigest()


class Scripts:
    """Runs scripts on a server; one it does not know (it was restarted) is told to it first."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def run(self, name: str, key: str, *arguments: Argument) -> Any:
        """What one script answers."""
        from redis.exceptions import NoScriptError

        try:
            return self._client.evalsha(_digest(name), 1, key, *arguments)
        except NoScriptError:
            return self._client.eval(source_of(name), 1, key, *arguments)

    def run_all(self, steps: Sequence[Step]) -> list[Any]:
        """What several scripts answer, in one round trip; in a cluster, in one to each node.

        A step that was not taken, since a node of a cluster is away or another has taken over, is
        sent again alone: then it is waited for.
        """
        from redis.exceptions import NoScriptError

        answers = self._sent(steps)
        missing = [place for place, it in enumerate(answers) if isinstance(it, NoScriptError)]
        if missing:
            for name in {steps[place][0] for place in missing}:
                self._client.script_load(source_of(name))
            again = self._sent([steps[place] for place in missing])
            for place, answer in zip(missing, again, strict=True):
                answers[place] = answer
        for place, answer in enumerate(answers):
            if isinstance(answer, self._away):
                name, key, arguments = steps[place]
                answers[place] = self.run(name, key, *arguments)
            elif isinstance(answer, Exception):
                raise answer
        return answers

    @property
    def _away(self) -> tuple[type[Exception], ...]:
        """Errors that pass, and are no more than an answer in a pipeline."""
        from redis.exceptions import ReadOnlyError

        return getattr(self._client, "passing_errors", (ReadOnlyError,))

    def _sent(self, steps: Sequence[Step]) -> list[Any]:
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for name, key, arguments in steps:
                    # A pipeline of a cluster has no evalsha, but takes the command.
                    step = ("EVALSHA", _digest(name), 1, key, *arguments)
                    pipeline.execute_command(*step)  # type: ignore[no-untyped-call]
                return list(pipeline.execute(raise_on_error=False))
        except self._away as error:
            return [error] * len(steps)
