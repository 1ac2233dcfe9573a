"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from pathlib import Path

from correspondence.community.person_keys import OWN_DROPPED, OWN_OF_A_GAME_MOVED
from correspondence.core.limits import Held
from correspondence.core.sweeps import Sweep
from correspondence.features import Feature
from correspondence.features.tournaments import letters, settling
from correspondence.features.tournaments.sweep import IS_DUE, sweep

FEATURE = Feature(
    name="tournaments",
    folder=Path(__file__).parent,
    letters=(letters.TOURNAMENT,),
    stops=(letters.STOP,),
    person_keys={
        "tournament.organiser_id": OWN_OF_A_GAME_MOVED,
        "tournament_entrant.person_id": OWN_OF_A_GAME_MOVED,
        "tournament_act.person_id": OWN_OF_A_GAME_MOVED,
        "tournament_act.about_id": OWN_OF_A_GAME_MOVED,
        "tournament_conduct.person_id": OWN_DROPPED,
    },
    limits={
        "features.tournaments.tournaments.MOST_RUNNING": Held.PERSON,
        "features.tournaments.organiser.ANNOUNCEMENTS_A_DAY": Held.PERSON,
    },
    not_exported=("tournament.code",),
    sweeps=(Sweep("tournaments", "tournaments", IS_DUE, sweep),),
    on_games_ended=settling.note_ended,
)
