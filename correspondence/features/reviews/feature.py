"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from correspondence.community.person_keys import OWN_DROPPED, OWN_OF_A_GAME_MOVED
from correspondence.core.limits import Held
from correspondence.features import Feature
from correspondence.features.reviews import command, letters, pages, panel, turns
from correspondence.features.reviews.tables import Review
from correspondence.models.versions import Raised, of_match
from correspondence.web.panels import Panel


def _raised(row: Review, changed: Collection[str]) -> Raised:
    return [of_match(row.match_id)] if {"state", "judgements"} & set(changed) else []


FEATURE = Feature(
    name="reviews",
    folder=Path(__file__).parent,
    letters=(letters.REVIEW,),
    commands=(command.REVIEW,),
    person_keys={"review.asked_by_id": OWN_OF_A_GAME_MOVED, "review_reader.person_id": OWN_DROPPED},
    versions={Review: _raised},
    limits={
        "features.reviews.reviews.MOST_A_DAY": Held.PERSON,
        "features.reviews.reviews.MOST_WAITING": Held.SERVICE,
    },
    blueprints=(pages.bp,),
    panels=(Panel("reviews", "reviews/panel.html", panel.panel_of, panel.sentence_at, panel.turning_points_in),),
    work=turns,
)
