"""Everything that ``import scenthound`` gives, from signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from tools.reference.docstrings import parse_docstring
from tools.reference.markdown import code, prose, table

import scenthound


def page() -> str:
    """Functions first, then classes and what else there is."""
    things = [(name, getattr(scenthound, name)) for name in scenthound.__all__]
    functions = [each for each in things if inspect.isfunction(each[1])]
    classes = [each for each in things if inspect.isclass(each[1])]
    parts = [_section(name, thing, _signature(name, thing)) for name, thing in functions]
    parts += [_class(name, thing) for name, thing in classes]
    return "\n".join(parts)


def _section(name: str, thing: object, signature: str) -> str:
    doc = parse_docstring(thing)
    parts = [f"## {name}\n", f"```python\n{signature}\n```\n", f"{prose(doc.text)}\n"]
    parts.append(table(("parameter", "what it is"), _rows(doc.parameters)))
    parts.append(table(("raises", "when"), _rows(doc.errors)))
    return "\n".join(filter(None, parts))


def _rows(items: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(code(name), prose(about)) for name, about in items]


def _class(name: str, kind: type) -> str:
    has_own = not issubclass(kind, BaseException) and not _is_protocol(kind)
    signature = _signature(name, kind) if has_own else name
    methods = [(code(each), prose(about)) for each, about in _members(kind)]
    return f"{_section(name, kind, signature)}\n{table(('member', 'what it gives'), methods)}"


def _is_protocol(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _members(kind: type) -> Iterator[tuple[str, str]]:
    """The public methods and properties that a class defines itself, with their first line."""
    for name, member in vars(kind).items():
        documented = inspect.isfunction(member) or isinstance(member, property | classmethod)
        if documented and not name.startswith("_"):
            first = (inspect.getdoc(member) or "").split("\n\n")[0]
            yield name if isinstance(member, property) else f"{name}()", first


def _signature(name: str, thing: object) -> str:
    """One parameter a line where they are many."""
    assert callable(thing)
    found = inspect.signature(thing)
    marked = _with_star(found, [_parameter(each) for each in found.parameters.values()])
    back = found.return_annotation
    ending = "" if back in (inspect.Signature.empty, None, "None") else f" -> {back}"
    inside = ", ".join(marked)
    if len(inside) > 80:
        inside = "\n    " + ",\n    ".join(marked) + ",\n"
    return f"{name}({inside}){ending}"


def _parameter(each: inspect.Parameter) -> str:
    text = each.name
    if each.annotation is not inspect.Parameter.empty:
        kind = each.annotation
        text += f": {kind if isinstance(kind, str) else getattr(kind, '__name__', kind)}"
    return text if each.default is inspect.Parameter.empty else f"{text} = {_default(each.default)}"


def _default(value: object) -> str:
    """As one would write it; three dots for what is made anew each time."""
    return "..." if "factory" in repr(value) else repr(value)


def _with_star(found: inspect.Signature, parts: list[str]) -> list[str]:
    """The parameters with the star behind which they go by name only."""
    kinds = [each.kind for each in found.parameters.values()]
    named = inspect.Parameter.KEYWORD_ONLY
    if named in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        place = kinds.index(named)
        return [*parts[:place], "*", *parts[place:]]
    return parts
