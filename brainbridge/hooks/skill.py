"""The skill `goodbye` for Claude Code: what to do when a session ends, in words for the agent."""

from hashlib import sha256

_MARK = "<!-- written by brainbridge hooks install; changes are kept and end its care. {digest} -->"

_TEXT = """\
---
name: goodbye
description: >-
  End a working session: keep what is worth keeping in the memory {brain} and have it consolidated.
  Use when the user says goodbye, is done for today, or asks to wrap up.
allowed-tools: Bash({program}:*)
---

# Goodbye

1. Look back at this session. Choose what will still matter in a week: decisions and their reasons, facts that cost
   time to find, what the user prefers. Not what the code or its history already says. Often that is nothing; at most
   five.
2. Keep each in one sentence that can be read alone, with its subject:

   ```
   {program} remember --brain={brain} --producer=inference --subject=SUBJECT "ONE SENTENCE"
   ```

   What the user stated, not you: without `--producer`. Keys, tokens and passwords are refused; leave them out.
3. Have it consolidated. It returns at once:

   ```
   {program} goodbye --brain={brain}
   ```

4. Tell the user in one line what was kept.
"""


def skill_text(brain: str, program: str) -> str:
    """The file SKILL.md.

    Args:
        program: the command line's first words: how brainbridge is called on this machine.
    """
    text = _TEXT.format(brain=brain, program=program)
    return f"{text}\n{_MARK.format(digest=_digest(text))}\n"


def is_untouched(content: bytes) -> bool:
    """Whether a SKILL.md is as we wrote it, for whichever brain: then it may be replaced and removed."""
    text, _, mark = content.decode("utf-8", errors="replace").rstrip("\n").rpartition("\n")
    return mark == _MARK.format(digest=_digest(text.removesuffix("\n") + "\n"))


def _digest(text: str) -> str:
    return sha256(text.strip().encode()).hexdigest()[:16]
