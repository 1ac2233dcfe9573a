"""The feature's parts, for the registries of the core."""

from __future__ import annotations

from pathlib import Path

from correspondence.commands.handlers.matchmaking import Withdrawal
from correspondence.commands.help import Topic
from correspondence.community.person_keys import OWN_DROPPED, OWN_OF_A_GAME_MOVED
from correspondence.core.limits import Held
from correspondence.core.sweeps import Sweep
from correspondence.features import Feature
from correspondence.features.tournaments import (
    calls,
    commands,
    judging,
    ladder_calls,
    ladder_commands,
    ladder_pages,
    league_calls,
    league_commands,
    league_pages,
    letters,
    pages,
    settling,
    views,
)
from correspondence.features.tournaments.sweep import IS_DUE, sweep
from correspondence.web.links import Link
from correspondence.web.profile_parts import ProfilePart
from engines.wording import N_

FEATURE = Feature(
    name="tournaments",
    folder=Path(__file__).parent,
    letters=(letters.TOURNAMENT, letters.LADDER_CHALLENGE),
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
    blueprints=(pages.bp, ladder_pages.bp, league_pages.bp),
    calls=(calls, ladder_calls, league_calls),
    profile_parts=(ProfilePart("tournaments", "tournaments/_honours.html", views.honours_of),),
    commands=(*commands.DECLARATIONS, *ladder_commands.DECLARATIONS, *league_commands.DECLARATIONS),
    help_topics={
        "tournaments": Topic(N_("organised play"), N_("help tournaments"), "torneo|organise|swiss|knockout"),
        "ladders": Topic(N_("ladders and leagues"), N_("help ladders"), "ladder|leagues|league"),
    },
    withdrawals=(
        Withdrawal(
            "tournament",
            lambda session, sender, number: commands.is_entered(session, sender.person.id, number),
            commands.withdraw,
        ),
    ),
    acceptances=(ladder_commands.ACCEPTANCE,),
    work=judging,
    menu=(Link("tournaments", "tournaments.listed", N_("Tournaments")),),
    sweeps=(Sweep("tournaments", "tournaments", IS_DUE, sweep),),
    on_games_ended=settling.note_ended,
)
