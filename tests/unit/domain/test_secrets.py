"""The secret scanner: what it knows, what it lets through, and that no text makes it slow.

Every secret here is made up, and put together when the tests run: no line of this file holds one whole.
"""

import string
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import brainbridge
from brainbridge.domain.errors import Refused
from brainbridge.domain.secret_rules import RULES
from brainbridge.domain.secrets import find_secret, redacted, refuse_secrets, secret_among

CHECKOUT = Path(brainbridge.__file__).parent.parent
MIXED = string.ascii_letters + string.digits


def made_up(length: int, alphabet: str = MIXED, *, step: int = 7) -> str:
    """Characters of `alphabet` in an order that repeats late; the same each time."""
    return "".join(alphabet[(number * number + number * step) % len(alphabet)] for number in range(length))


HEX = made_up(200, "0123456789abcdef", step=5)
LETTERS = made_up(200)
UPPER = made_up(64, string.ascii_uppercase + string.digits)
READ = {".md", ".cypher", ".jsonl", ".json", ".py"}
PEM = "-----{} RSA PRIVATE KEY-----"
CODES = "-".join(["1234567890", "0987654321"])


def positives() -> Iterator[tuple[str, str, str]]:
    """Rule, a text with a secret, and the secret."""

    def of(rule: str, *secrets: str) -> Iterator[tuple[str, str, str]]:
        for secret in secrets:
            yield rule, secret, secret
            yield rule, f"use {secret}, not the old one", secret
            yield rule, f'{{"value": "first\\n{secret}\\n"}}', secret

    yield from of("aws-access-key", "AK" + "IA" + UPPER[:16], "AS" + "IA" + UPPER[9:25])
    for name in ("aws_secret_access_key = ", '"SecretAccessKey": "', "AWS_SECRET_ACCESS_KEY="):
        yield "aws-secret-key", name + LETTERS[:38] + "/+", LETTERS[:38] + "/+"
    yield from of("google-api-key", "AI" + "za" + LETTERS[:33] + "_-", "AI" + "za" + LETTERS[40:75])
    yield from of("google-oauth", "GOC" + "SPX-" + LETTERS[:28], "ya" + "29." + LETTERS[:60])
    for name in ("DefaultEndpointsProtocol=https;AccountName=milo;AccountKey=", "EntityPath=x;SharedAccessKey="):
        yield "azure-key", f"{name}{LETTERS[:86]}==;EndpointSuffix=x", f"{LETTERS[:86]}=="
    yield from of("digitalocean-token", "dop" + "_v1_" + HEX[:64], "dor" + "_v1_" + HEX[9:73])
    yield from of(
        "github-token",
        *(f"gh{kind}_" + LETTERS[:36] for kind in "pousr"),
        "github" + "_pat_" + LETTERS[:22] + "_" + LETTERS[22:81],
    )
    yield from of("gitlab-token", *(f"gl{kind}-" + LETTERS[:20] for kind in ("pat", "dt", "rt")))
    yield from of("atlassian-token", "AT" + "ATT3" + LETTERS[:180], "AT" + "BB" + LETTERS[:32])
    yield from of("npm-token", "npm" + "_" + LETTERS[:36], "npm" + "_" + LETTERS[50:86])
    yield from of(
        "pypi-token", "pypi" + "-AgEIcHlwaS5vcmc" + LETTERS[:60], "pypi" + "-AgENdGVzdC5weXBp" + LETTERS[9:80]
    )
    yield from of("rubygems-key", "rubygems" + "_" + HEX[:48], "rubygems" + "_" + HEX[7:55])
    yield from of("docker-token", "dckr" + "_pat_" + LETTERS[:27], "dckr" + "_oat_" + LETTERS[:32])
    yield from of("slack-token", f"xo{'xb'}-{CODES}-{LETTERS[:24]}", f"xa{'pp'}-1-A012345-{HEX[:64]}")
    for place in ("services", "workflows"):
        path = f"T{UPPER[:9]}/B{UPPER[9:18]}/{LETTERS[:24]}"
        yield "slack-webhook", f"https://hooks.slack.com/{place}/{path}", path
    for host in ("discord.com", "discordapp.com"):
        yield "discord-webhook", f"https://{host}/api/webhooks/{'1234567890' * 2}/{LETTERS[:68]}", LETTERS[:68]
    yield "telegram-token", "bot" + "123456789:" + "AA" + LETTERS[:33], "123456789:" + "AA" + LETTERS[:33]
    yield from of("telegram-token", "9876543210:" + "AA" + LETTERS[9:42])
    yield from of(
        "stripe-key", "sk" + "_live_" + LETTERS[:24], "rk" + "_test_" + LETTERS[:99], "wh" + "sec_" + LETTERS[:32]
    )
    yield from of("square-token", "sq0" + "atp-" + LETTERS[:22], "sq0" + "csp-" + LETTERS[:43])
    yield from of("shopify-token", "shp" + "at_" + HEX[:32], "shp" + "ss_" + HEX[9:41])
    yield from of("sendgrid-key", *("SG" + f".{LETTERS[n : n + 22]}.{LETTERS[n + 22 : n + 65]}" for n in (0, 9)))
    yield from of("twilio-key", "S" + "K" + HEX[:32], "S" + "K" + HEX[8:40])
    yield from of(
        "model-key",
        *("sk" + f"-{kind}-{LETTERS[:60]}" for kind in ("proj", "ant-api03", "or-v1", "svcacct")),
        "sk" + f"-{LETTERS[:48]}",
        "gs" + f"k_{LETTERS[:52]}",
    )
    yield from of("huggingface-token", "h" + "f_" + LETTERS[:34], "h" + "f_" + LETTERS[20:54])
    yield from of("vault-token", "hv" + "s." + LETTERS[:24], "hv" + "b." + LETTERS[:120])
    yield from of("terraform-token", *(f"{LETTERS[n : n + 14]}.atlas" + f"v1.{LETTERS[:67]}" for n in (0, 30)))
    yield from of("databricks-token", "da" + "pi" + HEX[:32], "da" + "pi" + HEX[8:40])
    yield from of("grafana-token", "gl" + f"sa_{LETTERS[:32]}_{HEX[:8]}", "gl" + f"c_eyJ{LETTERS[:60]}")
    yield from of("jwt", *(f"ey{'J'}{LETTERS[:n]}.ey{'J'}{LETTERS[:40]}.{LETTERS[:43]}" for n in (17, 33)))
    lines = "\n".join(LETTERS[n : n + 64] for n in (0, 30, 60))
    for key in (
        f"{PEM.format('BEGIN')}\n{lines}\n{PEM.format('END')}",
        f"{PEM.format('BEGIN')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: X,{HEX[:32]}\n\n{lines}\n{PEM.format('END')}",
        f"-----BEGIN PRIVATE {'KEY'}-----\\n{LETTERS[:64]}\\n-----END PRIVATE {'KEY'}-----",
        f"-----BEGIN PGP PRIVATE {'KEY'} BLOCK-----\nVersion: 2\n\n{lines}\n-----END PGP PRIVATE {'KEY'} BLOCK-----",
        f"{PEM.format('BEGIN')}\nabc=\n{PEM.format('END')}",
        f"-----BEGIN OPENSSH PRIVATE {'KEY'}-----\n{lines}",
        "AGE-SECRET" + f"-KEY-1{UPPER[:58]}",
    ):
        yield "private-key", f"keep this: {key}", key
    for value in (LETTERS[:24], "tok" + "en.123", "dXNlcjpw" + "YXNz"):
        yield "authorization-header", f"curl -H 'Authorization: Bearer {value}' x", value
        yield "authorization-header", f'"authorization": "Basic {value}"', value
    yield "bearer-token", f"send bearer {LETTERS[:32]} with it", LETTERS[:32]
    yield "bearer-token", f"Bearer {HEX[:40]}", HEX[:40]
    for url in (
        "postgres://milo:{}@db.example.com:5432/app",
        "https://x:{}@host",
        "redis://:{}@[::1]/0",
        "amqp://user:{}@h",
    ):
        yield "password-in-url", f"it is at {url.format('s3' + 'cret:7')} now", "s3" + "cret:7"
    yield "password-in-url", "mongodb+srv://milo:{}@c0.example.net".format("sec" + "ret"), "sec" + "ret"
    for name in ("Password", "Pwd", "PASSWORD"):
        yield "connection-string", f"Server=db;User Id=milo;{name}={'hun' + 'ter'};Database=x", "hun" + "ter"
    for value in (
        "hunter" + "2",
        "correct-horse-" + "battery",
        "sword" + "fishes",
        "12" + "34",
        "S3" + "cr!t",
        "Pa$$" + "w0rd",
        "hello." + "world1",
    ):
        for text in ('password = "{}"', "DB_PASSWORD: '{}'", '{{"userPassword":"{}"}}', "passwd := `{}`", "pwd=>'{}'"):
            yield "quoted-password", text.format(value), value
        yield "quoted-password", f'{{\\"password\\": \\"{value}\\"}}', value
    for name in ("api_key", "client-secret", "ACCESS_TOKEN", "signingKey"):
        yield "quoted-password", f'{name} = "{LETTERS[:20]}"', LETTERS[:20]
    for text in (
        "host=db password={} dbname=x",
        "DB_PASSWORD={}",
        "--password={} x",
        "wifi password: {}",
        "password: {}\nnext: 1",
        "{{user: milo, password: {}, port: 1}}",
        "password = {}",
        "Kennwort: {}",
        "MYSQL_PWD={}",
        "export DB_PASS={} # x",
    ):
        yield "assigned-password", text.format("hunter" + "22"), "hunter" + "22"
    yield "assigned-password", "DB_PASSWORD={}".format("correct" + "horse"), "correct" + "horse"
    yield "assigned-password", f"https://x.example/?access_token={LETTERS[:30]}&page=2", LETTERS[:30]
    yield "assigned-password", f"x-api-key: {HEX[:32]}", HEX[:32]
    yield "assigned-password", "Pass: {}".format("Pa$$" + "w0rd"), "Pa$$" + "w0rd"
    yield "assigned-password", f"API key: {HEX[:32]}", HEX[:32]
    yield "assigned-password", "PASSWORD=" + LETTERS[:180] * 9, LETTERS[:180] * 9
    yield "password-option", "docker login -u milo --password {} x".format("hunter" + "22"), "hunter" + "22"
    yield "password-option", f"deploy --api-key '{LETTERS[:20]}'", LETTERS[:20]


@pytest.mark.parametrize(("rule", "text", "secret"), list(positives()), ids=[rule for rule, *_ in positives()])
def test_a_secret_is_found_by_its_form(rule: str, text: str, secret: str) -> None:
    """Each rule knows its own, alone, in a sentence and in JSON; the place is that of the secret, to its end."""
    found = find_secret(text)

    assert found is not None
    assert (rule, secret) == (found.rule, text[found.start : found.end])


def test_every_rule_is_tried_by_two_secrets_at_least() -> None:
    """No rule stands in the table unproved."""
    tried = [rule for rule, *_ in {(rule, secret) for rule, _, secret in positives()} | {
        (rule, text) for rule, text, _ in positives()
    }]  # fmt: skip

    assert {rule.name for rule in RULES} == set(tried)
    assert [rule.name for rule in RULES if tried.count(rule.name) < 2] == []


UUID = "123e4567-e89b-12d3-a456-426614174000"
SHA1, SHA256 = HEX[:40], HEX[:64]
BASE64 = "iVBORw0KGgoAAAANSUhEUgAA" + made_up(4_000, MIXED + "+/")
HARMLESS = [
    # Ids and digests
    UUID,
    f"memory {UUID} was promoted",
    UUID.replace("-", ""),
    SHA1,
    f"commit {SHA1}",
    f"sha256:{SHA256}",
    SHA256.upper(),
    f"md5 {HEX[:32]}",
    f"Merge {HEX[:7]} into main",
    f'ETag: "{HEX[:32]}"',
    f"trace-id: {HEX[:32]}",
    f"token {UUID}",
    f"key-{HEX[:32]}",
    f"cache key {SHA256}",
    f"contentKey: {SHA256}",
    f"primary key {UUID}",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    # Lock files and packages
    f'"integrity": "sha512-{LETTERS[:86]}=="',
    f"numpy==2.4.6 --hash=sha256:{SHA256}",
    f'hash = "sha256:{SHA256}"',
    f"github.com/x/y v1.2.3 h1:{LETTERS[:43]}=",
    f"image: neo4j@sha256:{SHA256}",
    f'checksum = "{SHA256}"',
    # Data
    f"![](data:image/png;base64,{BASE64})",
    f"data:font/woff2;base64,{BASE64}",
    "-----BEGIN CERTIFICATE-----\nMIIC" + LETTERS,
    f"-----BEGIN PUBLIC KEY-----\n{LETTERS[:64]}\n-----END PUBLIC KEY-----",
    f"ssh-ed25519 AAAAC3Nza{LETTERS[:60]} milo@host",
    "4111 1111 1111 1111",
    "IBAN DE89 3704 0044 0532 0130 00",
    "+49 30 1234567",
    "2026-12-01T09:30:00.000Z",
    "0x" + HEX[:40],
    # Sentences about secrets
    "the password policy is 12 characters",
    "password: twelve characters at least",
    "The password is in the vault.",
    "a token is a word of the index",
    "Secrets are refused, see ADR-0013",
    "He asked for the secret: nobody knew it",
    "passwords must have 12 characters and 1 digit",
    "rotate the API key every 90 days",
    "password reset link expires in 2h",
    "tokens: 4096",
    "max_tokens=128000",
    "the access token lives for 3600s",
    "key: value",
    "monkey=12345678",
    "secret = love",
    "the scope token: one word for brain and isTest",
    "Authorization: Bearer token",
    "the bearer of this letter is 44",
    "a PEM file begins with -----BEGIN PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "compass=N45W12345",
    "bypass: route66x",
    "the keyword: pass1on",
    "pass: the third one of 5",
    "PWD=/home/milo/work2",
    "sk-learn 1.9",
    "task-" + "a" * 40,
    "hf_transfer",
    "npm_config_registry",
    "AKIA is how they begin",
    "pypi-server 2.3",
    "eyJ is how they begin: eyJhbGci.eyJ",
    "xoxb-your-token-here",
    "sklearn.model_selection.train_test_split",
    # Placeholders
    "sk-xxxx",
    "sk-" + "x" * 48,
    "ghp_" + "x" * 36,
    "AKIA" + "X" * 16,
    "<token>",
    "token: <token>",
    "$TOKEN",
    "token=$TOKEN",
    "password=${PASSWORD}",
    "password=${DB_PASSWORD:-changeme1}",
    "password: {{ vault_password }}",
    "password=%DB_PASSWORD%",
    'password = "********"',
    "password: '...'",
    'password="your-password"',
    'api_key = "YOUR_API_KEY_HERE"',
    "PASSWORD=changeme",
    'password: "${DB_PASSWORD}"',
    "password: !vault |",
    "secret: op://vault/db1/password1",
    'password = "PASSWORD_2026"',
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <your token>",
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
    "postgres://user:password@localhost/db",
    "postgres://user:pass@localhost",
    "https://<user>:<password>@host/",
    "bolt://$USER:$PASSWORD@db",
    "mysql://{user}:{password}@{host}/x1",
    "redis://:${REDIS_PASSWORD}@cache:6379",
    "Server=db;User Id=milo;Password=<password>;",
    "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
    "brainbridge server start --password-stdin",
    "mysql --password PASSWORD",
    '"password": "string"',
    '"password": "required"',
    # Code
    'password = os.environ["DB_PASSWORD1"]',
    "password=settings.password2",
    "token=read_token2(path)",
    "password: str = None",
    "connect(user=user, password=password)",
    "getpass.getpass('password: ')",
    "secret=secrets.token_urlsafe(32)",
    '"password": "Kennwort"',
    "if password == expected_password:",
    "token = tokens[0]",
    "process.env.API_KEY",
    "token: Token1",
    "assert secret_key is not None",
    'get("password")',
    'password_hash = "$2b$12$' + LETTERS[:53] + '"',
    # Addresses and times that look like user:password@
    "http://localhost:7474/browser/",
    "http://[::1]:7687@",
    "see https://example.com/a:b@c",
    "git@github.com:milo/x.git",
    "bolt://127.0.0.1:7687",
    "mailto:milo@example.com",
    "ssh://git@example.com:22/x",
    "10:30@home",
    "npx x@1.2.3:y@4",
]


@pytest.mark.parametrize("text", HARMLESS, ids=lambda text: text[:40])
def test_what_is_no_secret_is_let_through(text: str) -> None:
    """Ids, digests, data, sentences, placeholders, code, addresses."""
    assert find_secret(text) is None


def test_there_are_many_harmless_texts() -> None:
    """Fewer would prove little."""
    assert len(set(HARMLESS)) >= 100


def test_nothing_that_people_read_here_is_taken_for_a_secret() -> None:
    """Documentation, statements, sources, lock files and notes of this repository; the tests hold passwords."""
    names = ("README.md", "Makefile", "pyproject.toml", "requirements.lock", "docker-compose.yml")
    files = [CHECKOUT / name for name in names]
    for folder in ("docs", "cypher", "examples", "brainbridge", "tools", "bench"):
        files += [path for path in (CHECKOUT / folder).rglob("*") if path.suffix in READ]

    assert len(files) > 200
    assert {} == {path: found for path in files if (found := find_secret(path.read_text(encoding="utf-8")))}


MEBIBYTE = 1 << 20
BEGINNINGS = [
    "eyJ",
    "eyJa.eyJ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCR",
    "-----BEGIN PRIVATE KEY-----\nA: b\nA: b\nA: b\nA: b\n",
    "://",
    "://a:",
    "--",
    "--token ",
    "password=",
    "password: ",
    "password = ",
    'password="',
    'password="yo',
    ";pwd=",
    "authorization: bearer ",
    "bearer ",
    "github_pat_",
    "sk-",
    "sk-ant-",
    "xoxb-1-",
    "SG.",
    "AKIA",
    ".atlasv1.",
    "1234567890:AA",
    "your_",
    "\\n",
    "a",
    "7",
    " ",
    "\n",
    '"',
    "-",
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", BEGINNINGS, ids=repr)
def test_no_text_is_slow(part: str) -> None:
    """1 MiB of a secret's beginning over and over, or of what stands inside one, is read in a time linear in it."""
    text = part * (MEBIBYTE // len(part))

    began = time.process_time()
    find_secret(text)
    redacted(text)

    # A pattern that is not linear takes minutes to hours here; these take 0.1 to 1.3 s on one core (measured).
    assert time.process_time() - began < 30


def test_a_secret_is_never_part_of_what_is_said_about_it() -> None:
    """Neither the value nor the error repeats it: rule and place, from 1 as people count, and what to do."""
    secret = "ghp" + "_" + LETTERS[:36]

    with pytest.raises(Refused) as refused:
        refuse_secrets({"content": "nothing here", "subject": None, "reason": f"it was {secret}"})

    said = str(refused.value)
    assert "the reason holds what looks like a secret (github-token, characters 8 to 47)" in said
    assert "Nothing was stored" in said
    assert "--allow-secret" in said
    assert secret not in said + repr(find_secret(secret))
    assert 7 == refused.value.exit_code


def test_texts_without_a_secret_are_let_through() -> None:
    """Also those that are not there."""
    assert secret_among({"content": "the port is 17687", "subject": None, "reason": ""}) is None
    refuse_secrets({})


def test_redacted_texts_hold_no_secret_and_all_of_the_rest() -> None:
    """Several secrets, overlapping finds, and a text without any, which stays as it is."""
    token, password = "ghp" + "_" + LETTERS[:36], "hunter" + "22"
    text = f"no memory matches 'password = \"{token}\"' at bolt://milo:{password}@db, token {token}."

    shown = redacted(text)

    assert (
        "no memory matches 'password = \"<github-token removed>\"' at bolt://milo:<password-in-url removed>@db, "
        "token <github-token removed>."
    ) == shown
    assert "the port is 17687" == redacted("the port is 17687")


@pytest.mark.parametrize(("rule", "text", "secret"), list(positives()), ids=[rule for rule, *_ in positives()])
def test_nothing_of_a_secret_is_left_in_a_redacted_text(rule: str, text: str, secret: str) -> None:
    """What is redacted is found no more, and holds the secret no more."""
    shown = redacted(text)

    assert secret not in shown
    assert find_secret(shown) is None
    assert f"<{rule} removed>" in shown


def test_the_first_secret_is_the_one_that_is_found() -> None:
    """By its place in the text, not by the order of the rules."""
    found = find_secret("password: {} and {}".format("hunter" + "22,", "AK" + "IA" + UPPER[:16]))

    assert found is not None
    assert ("assigned-password", 10) == (found.rule, found.start)
