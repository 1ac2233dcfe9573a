"""The rules of deploy/alerts.yml, and a parser for their simple expressions.

It replaces Prometheus. Rules may only use what the parser knows: a number or the quotient of two compared with
a constant, and the increase of a counter between two scrapes. It raises an error for anything else.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field

import yaml
from prometheus_client.parser import text_string_to_metric_families as families

from tests.deployment import DEPLOY

_COMPARED = {">": operator.gt, "<": operator.lt, "==": operator.eq}
_SERIES = r'(\w+)(?:\{(\w+)="(\w+)"\})?'
_RULE = re.compile(r"(?P<of>.+) (?P<how>>|<|==) (?P<limit>[\d.]+)")


@dataclass(frozen=True)
class Scrape:
    """Samples of a scrape by name and labels; a failed scrape has only `up` 0."""

    samples: dict = field(default_factory=dict)

    def series(self, name, label=None, wanted=None):
        """Return the values of a metric by labels, optionally only for one label value."""
        return {
            labels: value
            for (found, labels), value in self.samples.items()
            if found == name and (label is None or (label, wanted) in labels)
        }


def scraped(text):
    """Parse the answer to a scrape; None is a scrape without an answer."""
    up = {("up", (("job", "correspondence"),)): float(text is not None)}
    samples = [sample for family in families(text or "") for sample in family.samples]
    return Scrape(up | {(one.name, tuple(sorted(one.labels.items()))): one.value for one in samples})


def rules():
    """Return every rule by its name."""
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def fires(rule, before, now):
    """Whether a rule holds at the second of two scrapes, ignoring its `for`."""
    found = _RULE.fullmatch(rule["expr"])
    assert found, f"{rule['expr']} is not as simple as this reader"
    values = _values(found["of"].strip(), before, now)
    return any(_COMPARED[found["how"]](value, float(found["limit"])) for value in values)


def _values(expression, before, now):
    if increase := re.fullmatch(rf"increase\({_SERIES}\[\w+\]\)", expression):
        known = before.series(*increase.groups())
        return [value - known[labels] for labels, value in now.series(*increase.groups()).items() if labels in known]
    if ratio := re.fullmatch(r"(\w+) / (\w+)", expression):
        parts, wholes = (now.series(name) for name in ratio.groups())
        return [parts[labels] / wholes[labels] for labels in parts]
    series = re.fullmatch(_SERIES, expression)
    assert series, f"{expression} is not as simple as this reader"
    return list(now.series(*series.groups()).values())
