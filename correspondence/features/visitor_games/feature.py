"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from pathlib import Path

from correspondence.core.limits import Held
from correspondence.core.sweeps import Sweep
from correspondence.features import Feature
from correspondence.features.visitor_games import pages, turns
from correspondence.features.visitor_games.sweep import IS_DUE, sweep
from correspondence.web.front_parts import FrontPart

FEATURE = Feature(
    name="visitor_games",
    folder=Path(__file__).parent,
    limits={
        "features.visitor_games.visitor_games.MOST": Held.SERVICE,
        "features.visitor_games.visitor_games.MOST_FROM_ONE_SITE": Held.SERVICE,
    },
    blueprints=(pages.bp,),
    work=turns,
    front=(FrontPart("visitor_games", "visitor_games/front.html", pages.content_of),),
    on_arrival=pages.keep,
    sweeps=(Sweep("visitor_games", "visitors' games", IS_DUE, sweep),),
)
