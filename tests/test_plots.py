"""Small drawings of numbers: what they say can be read, and colours mean the same everywhere."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import pytest

from correspondence.render.charts import results_bar, time_plot

LABELS = ("an hour", "a day", "a week", "the longest")


def words_of(plot):
    return [one.text for one in ElementTree.fromstring(plot).iter() if one.tag.endswith("text")]


@pytest.mark.parametrize(
    ("longest", "marked"),
    [
        (timedelta(minutes=30), ["the longest"]),
        (timedelta(hours=5), ["an hour"]),
        (timedelta(days=3), ["an hour", "a day"]),
        (timedelta(days=20), ["an hour", "a day", "a week"]),
    ],
)
def test_lines_of_the_plot_of_time_are_named_in_words(longest, marked):
    assert words_of(time_plot([(0, longest), (1, timedelta(minutes=1))], "Time", "", LABELS)) == marked


def test_a_bar_of_results_has_the_colours_of_the_seats():
    bar = ElementTree.fromstring(results_bar(3, 0, 1, "Results", ("is-black", "is-white")))
    parts = {one.get("class"): float(one.get("width")) for one in bar if one.get("width")}
    assert parts == {"is-black": 150, "drawn": 0, "is-white": 50}
