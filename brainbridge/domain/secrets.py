"""Secrets in a text: keys, tokens, passwords, known by their form alone; see secret_rules.

A rule is asked only if one of its anchors is in the text, and its pattern is compiled when it is first asked, so a text
without a secret costs microseconds. Why no library does it: docs/adr/0013.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from brainbridge.domain.errors import Refused
from brainbridge.domain.secret_rules import RULES


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and the rule that knows it; never the secret itself.

    `start` and `end` are as in a slice: `text[start:end]`.
    """

    rule: str
    start: int
    end: int


def find_secret(text: str) -> Secret | None:
    """The first secret in `text`; None if there is none."""
    return min(_secrets(text), key=lambda secret: secret.start, default=None)


def holds_secret(text: str) -> bool:
    """Whether a text holds a secret."""
    return find_secret(text) is not None


def redacted(text: str) -> str:
    """`text` with the name of its rule in place of each secret, for what is logged or shown as an error."""
    parts, end = [], 0
    for secret in sorted(_secrets(text), key=lambda secret: secret.start):
        if secret.start >= end:
            parts += [text[end : secret.start], f"<{secret.rule} removed>"]
        end = max(end, secret.end)
    return "".join([*parts, text[end:]])


def secret_among(texts: Mapping[str, str | None]) -> str | None:
    """What is to be said of the first text with a secret, without the secret; None if there is none.

    Args:
        texts: by what people call them: content, subject, reason.
    """
    for name, text in texts.items():
        if text and (secret := find_secret(text)):
            where = f"{secret.rule}, characters {secret.start + 1} to {secret.end}"
            return f"the {name} holds what looks like a secret ({where})"
    return None


def refuse_secrets(texts: Mapping[str, str | None]) -> None:
    """Let `texts` be stored only if none of them holds a secret.

    Raises:
        Refused: one does; the rule and the place are named, not the secret.
    """
    if said := secret_among(texts):
        raise Refused(
            f"{said}. Nothing was stored. Write down where it is kept instead, "
            "or say --allow-secret (allow_secret=True in Python) if it must be stored."
        )


def _secrets(text: str) -> Iterator[Secret]:
    """All secrets, by rule; two rules may find the same one."""
    folded = text.lower()
    asked = {rule.name: rule for anchor, rule in _BY_ANCHOR if anchor in folded}
    for rule in asked.values():
        pattern, position = _compiled(rule.pattern), 0
        while found := pattern.search(text, position):
            position = found.end()
            if rule.accepts(found):
                start, end = found.span("value" if "value" in pattern.groupindex else 0)
                # A pattern may end before the token does; what is left of it must not be shown.
                end = _TOKEN.match(text, end).end()  # type: ignore[union-attr]  # it matches nothing, too
                position = max(position, end)
                yield Secret(rule.name, start, end)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.MULTILINE)


_TOKEN = re.compile(r"[A-Za-z0-9_\-+/=]*")
_BY_ANCHOR = tuple((anchor, rule) for rule in RULES for anchor in rule.anchors)
