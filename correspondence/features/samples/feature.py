"""The feature's parts, for the registries of the core; its command is an entry point (pyproject.toml)."""

from __future__ import annotations

from pathlib import Path

from correspondence.core.sweeps import Sweep
from correspondence.features import Feature
from correspondence.features.samples import book, panel
from correspondence.features.samples.loading import SITE
from correspondence.features.samples.sweep import IS_DUE, sweep
from correspondence.features.samples.tables import SampleGame
from correspondence.models.versions import of_match
from correspondence.web.books import Book
from correspondence.web.panels import Panel
from engines.wording import N_

FEATURE = Feature(
    name="samples",
    folder=Path(__file__).parent,
    versions={SampleGame: lambda row, _changed: [of_match(row.match_id)]},
    blueprints=(panel.bp,),
    panels=(Panel("samples", "samples/panel.html", panel.panel_of, panel.sentence_at, panel.turning_points_in),),
    origins={SITE: N_("sample game, played by robots")},
    books=(Book("samples", book.moves_from),),
    sweeps=(Sweep("samples", "samples", IS_DUE, sweep),),
)
