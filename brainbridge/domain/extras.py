"""How to get what brainbridge does not bring unasked."""


def how_to_install(extra: str) -> str:
    """The command that installs an extra, for those who have brainbridge from an index and from a checkout."""
    return f"pip install 'brainbridge[{extra}]' (in a checkout: pip install -e '.[{extra}]')"
