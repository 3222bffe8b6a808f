"""The forms that secrets have: a rule each, with what is written in their place in examples and in code.

Structure only: nothing is taken for a secret because it looks random. A rule is linear in the text, whatever the text
holds: a repetition either has a limit, or nothing behind it can fail, or it begins where no such run goes on (`jwt`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

# Words that stand for a value: alone, or joined as in YOUR_API_KEY_HERE and changeMe.
_STAND_IN = frozenset(
    (
        "a access account admin an any api apikey app args argument auth bar baz bearer change changeit changeme "
        "choose client column config database db default dummy empty encrypted enter env environment example fake "
        "false field file foo from generated goes good hash hashed here hidden host id in input insert it jwt key "
        "login long masked me my name neo4j new nil no none null number object of old omitted optional options os "
        "param parameter pass passphrase passwd password passwort placeholder plain plaintext private process "
        "prompt props public put pw pwd random real redacted removed replace required sample secret secrets "
        "secure see self service set settings some str string strong tbd test testing text that the this to todo "
        "token true type undefined unset user username value variable with yes your"
    ).split()
)
_EXAMPLE_USERS = frozenset(("", "user", "username", "name", "login", "me", "you", "foo"))
_WORD_ENDS = re.compile(r"[-_.\s]+|(?<=[a-z])(?=[A-Z])")
# ${NAME}, #{name}, {{name}}, {name}, $NAME, $(command), %NAME%, %s, %(name)s, <name>, [name], ***, ..., …, xxxx
_TEMPLATE = re.compile(
    r"[$#{]\{|\{[A-Za-z_][\w.]*\}|\$\(|%\w+%|\*{3}|•{3}|\.{3}|…|x{4}"
    r"|\A(?:[<\[{]|\$[A-Za-z_]\w*\Z|%(?:\(\w+\))?s\Z)",
    re.IGNORECASE,
)
# NAME_OF_A_VARIABLE; ./path, /path, ~/path; op://vault/item, env:NAME
_REFERENCE = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:\.{0,2}|~)/.*"
    r"|(?:[a-z][a-z0-9+.-]{1,20}://|(?:env|file|vault|arn|ref|keyring|sops|kms):).*"
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def _is_template(value: str) -> bool:
    return _TEMPLATE.search(value) is not None


def _is_placeholder(value: str) -> bool:
    if _is_template(value) or _REFERENCE.fullmatch(value):
        return True
    words = [word.lower() for word in _WORD_ENDS.split(value) if word]
    # settings.password2: one word that stands for something is enough in a path of names
    return (any if _DOTTED.fullmatch(value) else all)(word in _STAND_IN for word in words)


# What a value must be, beside its form


def _is_given(found: re.Match[str]) -> bool:
    """No placeholder such as `sk-xxxxxxxx`; six, because four of them happen in a private key of 1,600 characters."""
    return "xxxxxx" not in found[0].lower()


def _is_real(found: re.Match[str]) -> bool:
    """No placeholder, by all that people write for one."""
    return not _is_placeholder(found["value"])


def _is_credential(found: re.Match[str]) -> bool:
    """What follows `Bearer` is a token and not a word."""
    value = found["value"]
    return not _is_placeholder(value) and (_has_digit(value) or (value != value.lower() and value != value.upper()))


def _is_password_in_url(found: re.Match[str]) -> bool:
    """`user:password@` is an example, `milo:password@` is not."""
    value, user = found["value"], found["user"]
    example = user.lower() in _EXAMPLE_USERS or _is_template(user)
    return not (_is_template(value) or (example and _is_placeholder(value)))


def _is_quoted(found: re.Match[str]) -> bool:
    """`password = "…"`: any value but a word; a key or token has 12 characters at least, letters and digits."""
    value = found["value"]
    if _is_placeholder(value):
        return False
    if found["key"]:
        return len(value) >= 12 and _is_mixed(value)
    # A title is a label: "password": "Kennwort"
    return not value.isalpha() or (len(value) >= 8 and value.isascii() and not value.istitle())


def _is_bare(found: re.Match[str]) -> bool:
    """`password=…`: letters and digits, for it could be a word or a name; in `PASSWORD=…` letters are enough."""
    value = found["value"]
    if _is_placeholder(value):
        return False
    if found["key"]:
        return len(value) >= 16 and _is_mixed(value)
    return _is_mixed(value) or (found["name"].isupper() and "=" in found[0] and len(value) >= 8)


def _is_option(found: re.Match[str]) -> bool:
    return _is_mixed(found["value"]) and not _is_placeholder(found["value"])


def _is_mixed(value: str) -> bool:
    return _has_digit(value) and any(map(str.isalpha, value))


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


@dataclass(frozen=True, slots=True)
class Rule:
    """A form that secrets have.

    Attributes:
        anchors: in lower case; a text without any of them does not match.
        pattern: group `value` is the secret, where it is not all of it.
        accepts: what cannot be said by a pattern.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: str
    accepts: Callable[[re.Match[str]], bool] = _is_given


# Where a token begins: not inside a longer one; after \n as JSON writes it, too.
_HERE = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrt]))"
_QUOTE = "[\"'`]"
# `key` is set for names that often stand before something else than a secret.
_NAME = (
    r"(?i:(?P<name>passw(?:or[dt]|d)|passphrase|kennwort|(?<![a-z])(?:pass|pwd)"
    r"|(?P<key>secret|token|credentials?|(?:api|access|auth|account|private|secret|signing|encryption)[_ -]?key)))"
    rf"\\?{_QUOTE}?\]?"
)
_NAMES = (
    *("pass", "kennwort", "pwd", "secret", "token", "credential", "api key", "access key"),
    *("_key", "-key", "apikey", "accesskey", "authkey", "accountkey", "privatekey", "signingkey", "encryptionkey"),
)
_BLANKS = r"(?:\s|\\[nr]){0,64}+"

RULES = (
    # Clouds
    Rule(
        "aws-access-key",
        ("akia", "asia", "abia", "acca"),
        _HERE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    Rule(
        "aws-secret-key",
        ("secret",),
        rf"(?i:secret_?access_?key){_QUOTE}?\s{{0,3}}[:=]\s{{0,3}}{_QUOTE}?(?P<value>[A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])",
    ),
    Rule("google-api-key", ("aiza",), _HERE + r"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    Rule("google-oauth", ("gocspx-", "ya29."), _HERE + r"(?:GOCSPX-[A-Za-z0-9_\-]{28}|ya29\.[A-Za-z0-9_\-]{20,})"),
    Rule(
        "azure-key",
        ("accountkey=", "sharedaccesskey="),
        r"(?:AccountKey|SharedAccessKey)=(?P<value>[A-Za-z0-9+/]{42,88}={1,2})",
    ),
    Rule("digitalocean-token", ("_v1_",), _HERE + r"do[opr]_v1_[a-f0-9]{64}"),
    # Forges and registries
    Rule(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _HERE + r"(?:gh[opusr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    ),
    Rule(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "gloas-"),
        _HERE + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_\-.]{20,}",
    ),
    Rule(
        "atlassian-token",
        ("atatt3", "atctt3", "atbb"),
        _HERE + r"(?:AT[AC]TT3[A-Za-z0-9_\-=]{60,}|ATBB[A-Za-z0-9]{32})(?![A-Za-z0-9])",
    ),
    Rule("npm-token", ("npm_",), _HERE + r"npm_[A-Za-z0-9]{36,}"),
    Rule("pypi-token", ("pypi-age",), _HERE + r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    Rule("rubygems-key", ("rubygems_",), _HERE + r"rubygems_[a-f0-9]{48}"),
    Rule("docker-token", ("dckr_",), _HERE + r"dckr_[po]at_[A-Za-z0-9_\-]{27,}"),
    # Chat
    Rule("slack-token", ("xox", "xapp-"), _HERE + r"(?:xox[abeoprs]|xapp)-[0-9]{1,20}-[A-Za-z0-9\-]{10,}"),
    Rule(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9+/]{30,})",
    ),
    Rule(
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/(?P<value>[A-Za-z0-9_\-]{60,})",
    ),
    Rule("telegram-token", (":aa",), r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"),
    # Shops, post, telephone
    Rule(
        "stripe-key",
        ("_live_", "_test_", "whsec_"),
        _HERE + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,})",
    ),
    Rule("square-token", ("sq0",), _HERE + r"sq0(?:atp|csp)-[A-Za-z0-9_\-]{22,}"),
    Rule("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), _HERE + r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    Rule("sendgrid-key", ("sg.",), _HERE + r"SG\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43}"),
    Rule("twilio-key", ("sk",), _HERE + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    # Models
    Rule(
        "model-key",
        ("sk-", "gsk_", "xai-", "pplx-"),
        _HERE
        + r"(?:sk-(?:proj|svcacct|admin|ant|or)-[A-Za-z0-9_\-]{20,}|sk-[A-Za-z0-9]{32,}"
        + r"|gsk_[A-Za-z0-9]{48,}|xai-[A-Za-z0-9]{60,}|pplx-[A-Za-z0-9]{40,})",
    ),
    Rule("huggingface-token", ("hf_",), _HERE + r"hf_[A-Za-z0-9]{34,}"),
    # Machinery
    Rule("vault-token", ("hvs.", "hvb.", "hvr."), _HERE + r"hv[sbr]\.[A-Za-z0-9_\-]{24,}"),
    Rule("terraform-token", (".atlasv1.",), _HERE + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,}"),
    Rule("databricks-token", ("dapi",), _HERE + r"dapi[a-f0-9]{32}(?![A-Za-z0-9])"),
    Rule(
        "grafana-token",
        ("glsa_", "glc_ey"),
        _HERE + r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_eyJ[A-Za-z0-9+/]{32,}={0,2})",
    ),
    # Of any maker
    Rule("jwt", ("eyj",), _HERE + r"eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}"),
    Rule(
        "private-key",
        ("private key", "age-secret-key-1"),
        # The first line alone is no key: there is a line of base64, or at least a bit of it and the last line.
        r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        rf"{_BLANKS}(?:[A-Za-z\-]{{1,32}}+:[^\r\n\\]{{0,200}}+{_BLANKS}){{0,4}}+"
        rf"(?:[A-Za-z0-9+/=]{{16}}|[A-Za-z0-9+/=]{{1,64}}{_BLANKS}-----END)[^-]*"
        r"(?:-----(?:END[A-Z0-9 ]{0,64}-----)?)?"
        r"|AGE-SECRET-KEY-1[A-Z0-9]{58}",
    ),
    Rule(
        "authorization-header",
        ("authorization", "bearer"),
        rf"(?i:authorization{_QUOTE}?[ \t]{{0,3}}[:=][ \t]{{0,3}}{_QUOTE}?(?:bearer|basic|token|apikey)[ \t]{{1,3}}"
        r"(?P<value>[a-z0-9._~+/=\-]{8,}))",
        _is_credential,
    ),
    Rule("bearer-token", ("bearer",), r"(?i:\bbearer[ \t]{1,3}(?P<value>[a-z0-9._~+/=\-]{20,}))", _is_option),
    Rule(
        "password-in-url",
        ("://",),
        r"://(?P<user>[^\s/:@?#<>\"'`]{0,128}):(?P<value>[^\s/@<>\"'`]{3,256})@(?=[A-Za-z0-9\[$])",
        _is_password_in_url,
    ),
    Rule(
        "connection-string",
        ("password", "pwd"),
        r";[ ]{0,2}(?i:password|pwd)[ ]{0,2}=[ ]{0,2}(?P<value>[^;\s\"'`]{3,256})",
        _is_real,
    ),
    Rule(
        "quoted-password",
        _NAMES,
        rf"{_NAME}[ \t]{{0,3}}(?::=|=>|={{1,3}}|:)[ \t]{{0,3}}\\?(?P<quote>{_QUOTE})"
        r"(?P<value>[^\"'`\s\\]{4,256})\\?(?P=quote)",
        _is_quoted,
    ),
    Rule(
        "assigned-password",
        _NAMES,
        # NAME=value, or a line or field that ends with it: no call, no index, no sentence that goes on.
        rf"{_NAME}(?:=(?P<tight>)|[ \t]{{0,3}}[:=][ \t]{{1,8}})(?P<value>[^\s\"'`,;<>(){{}}\[\]\\&|]{{6,256}}+)"
        r"(?(tight)(?![(\[])|(?=[ \t]{0,8}(?:$|[\r\n,;}\"'`)&|]|\\[nr])))",
        _is_bare,
    ),
    Rule(
        "password-option",
        ("--",),
        rf"--(?:[a-z]{{1,16}}-){{0,2}}(?:password|passwd|pass|secret|token|api-key|access-key)[ ]{{1,3}}{_QUOTE}?"
        r"(?P<value>[^\s\"'`]{6,256})",
        _is_option,
    ),
)
