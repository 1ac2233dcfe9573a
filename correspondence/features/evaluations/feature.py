"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from pathlib import Path

from correspondence.community.person_keys import OWN_DROPPED
from correspondence.core.limits import Held
from correspondence.features import Feature
from correspondence.features.evaluations import pages, turns
from correspondence.web.panels import BoardPanel

FEATURE = Feature(
    name="evaluations",
    folder=Path(__file__).parent,
    person_keys={"evaluation.person_id": OWN_DROPPED},
    limits={
        "features.evaluations.evaluations.MOST_A_DAY": Held.PERSON,
        "features.evaluations.evaluations.MOST_WAITING": Held.SERVICE,
    },
    blueprints=(pages.bp,),
    board_panels=(BoardPanel("evaluations", "evaluations/panel.html", pages.content_of),),
    work=turns,
)
