"""The files for Prometheus and Grafana, and the page about them, name metrics that there are."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import brainbridge
from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.web.metrics import registry

CHECKOUT = Path(brainbridge.__file__).parent.parent
FOLDER = CHECKOUT / "examples" / "observability"
PAGE = CHECKOUT / "docs" / "how-to" / "watch-it.md"
METRIC = re.compile(r"\bbrainbridge_\w+")


@pytest.fixture
def metrics(brain: Brain) -> dict[str, set[str]]:
    """The labels of every metric of a brain with a run on record, by its name as it is scraped."""
    brain.consolidate()
    brain.promote()
    collected = registry(Connection(brain.name, lambda: brain)).collect()
    return {sample.name: set(sample.labels) for family in collected for sample in family.samples}


def dashboard() -> dict[str, Any]:
    """The Grafana dashboard."""
    found: dict[str, Any] = json.loads((FOLDER / "grafana-dashboard.json").read_text(encoding="utf-8"))
    return found


def test_the_page_lists_every_metric_with_its_labels(metrics: dict[str, set[str]]) -> None:
    """No more and no fewer; the label `brain` is understood."""
    rows = re.findall(r"^\| `(brainbridge_\w+)` \| ([\w, ]*) ?\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert {name: labels - {"brain"} for name, labels in metrics.items()} == {
        name: {label.strip() for label in labels.split(",") if label.strip()} for name, labels in rows
    }


@pytest.mark.parametrize("file", ["alerts.yml", "alerts_test.yml", "grafana-dashboard.json"])
def test_files_name_metrics_that_there_are(metrics: dict[str, set[str]], file: str) -> None:
    """A typing error would make an alert that never fires, or an empty panel."""
    named = set(METRIC.findall((FOLDER / file).read_text(encoding="utf-8")))

    assert named
    assert set() == named - metrics.keys()


def test_every_alert_is_explained() -> None:
    """Each has its row, and is tested or is about Prometheus' own `up`."""
    rules = re.findall(r"- alert: (\w+)", (FOLDER / "alerts.yml").read_text(encoding="utf-8"))
    tested = set(re.findall(r"alertname: (\w+)", (FOLDER / "alerts_test.yml").read_text(encoding="utf-8")))

    assert rules == re.findall(r"^\| (Brainbridge\w+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"BrainbridgeAway"} == set(rules) - tested


def test_the_dashboard_hangs_together() -> None:
    """Each panel has its own id and place, and asks for the brain that is chosen."""
    panels = dashboard()["panels"]
    places = [tuple(panel["gridPos"].values()) for panel in panels]

    assert len(panels) == len({panel["id"] for panel in panels}) == len(set(places))
    for panel in panels:
        for target in panel["targets"]:
            assert 'brain="$brain"' in target["expr"], panel["title"]


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not on this machine")
@pytest.mark.parametrize(
    "argv", [["check", "config", "prometheus.yml"], ["test", "rules", "alerts_test.yml"]], ids=lambda argv: argv[0]
)
def test_promtool_accepts_the_rules(argv: list[str]) -> None:
    """Their syntax, and that each fires when it should and not before."""
    done = subprocess.run(["promtool", *argv], cwd=FOLDER, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
