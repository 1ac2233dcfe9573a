"""Letters about leagues: a season with all opponents and how the last one ended, and its last days."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.core.i18n import weekday
from correspondence.core.time_control import pace
from correspondence.features.tournaments import fields, letters
from correspondence.features.tournaments.formats.field import Field, Row
from correspondence.features.tournaments.letters import TournamentNews, title_of
from correspondence.features.tournaments.tables import Tournament, TournamentEntrant
from correspondence.models import Person
from engines.wording import _, listing


def tell_season(session: Session, tournament: Tournament, last: Field, field: Field, *, now: datetime) -> None:
    """Write to everybody who plays in the season that has begun, or played in the last one."""
    cast = letters.cast_of(session, tournament.id)
    placed = {row.entrant: row for row in fields.standings_of(field.until(last.round))} if last.round else {}
    sizes: dict[int, int] = {}
    for row in placed.values():
        sizes[row.section] = sizes.get(row.section, 0) + 1
    season = field.round

    def news(person: Person, entrant: TournamentEntrant) -> TournamentNews | None:
        games = [pairing for pairing in field.of_round(season) if entrant.id in pairing.seats]
        row = placed.get(entrant.id)
        values = {"season": season, "league": title_of(tournament)}
        if games:
            opponents = listing(letters.opponents_in(field, cast, entrant.id, season), _("and"))
            sentence = _("Season {season} has begun ({league}), division {division}: you play {opponents}.")
            state = sentence.format(**values, division=games[0].section, opponents=opponents)
            lines = [*_placed(row, sizes), *_how(tournament, field, person)]
            rows = letters.game_rows(field, cast, entrant.id, season)
            return TournamentNews(_("season {season}").format(season=season), state, lines, rows=rows)
        if row is None:
            return None
        state = _("Season {season} has begun without you ({league}).").format(**values)
        return TournamentNews(_("season {season}").format(season=season), state, _placed(row, sizes))

    letters.write_all(session, tournament, cast, f"season{season}", news, now=now)


def _placed(row: Row | None, sizes: dict[int, int]) -> list[str]:
    """Say how somebody came out of the last season."""
    if row is None:
        return []
    sentence = _("In the season before you have come {place} of {count} in division {division}, with {points}.")
    points = letters.points_text(row.points)
    return [sentence.format(place=row.rank, count=sizes[row.section], division=row.section, points=points)]


def _how(tournament: Tournament, field: Field, person: Person) -> list[str]:
    ends_at = next((one.ends_at for one in field.rounds if one.number == field.round), None)
    day = weekday(ends_at, person.zone, person.language) if ends_at is not None else ""
    sentence = _(
        "The season lasts until {day} at the latest; games that still run then are judged. You play the next one, too, "
        "unless you write: league {game} rest (skips one season), or: league {game} leave"
    )
    return [
        _("The pace is {pace}.").format(pace=pace(tournament.time_control)),
        sentence.format(day=day, game=tournament.game),
    ]


def tell_last_days(session: Session, tournament: Tournament, field: Field, ends_at: datetime, *, now: datetime) -> None:
    """Tell those with running games, a week before, that these will be judged."""
    cast = letters.cast_of(session, tournament.id)
    season = field.round

    def news(person: Person, entrant: TournamentEntrant) -> TournamentNews | None:
        games = [one.game for one in field.of_round(season) if entrant.id in one.seats and one.is_running]
        if not games:
            return None
        sentence = _("Season {season} ends on {day} ({league}), and games of yours still run: {games}.")
        state = sentence.format(
            season=season, day=weekday(ends_at, person.zone, person.language), league=title_of(tournament),
            games=listing([str(game) for game in games], _("and")),
        )  # fmt: skip
        rest = _(
            "A game that still runs then counts in the table for good as the highest robot judges it: won for a side to "
            "which it gives 85% or more, else drawn. The game goes on, and its end counts for your rating and record."
        )
        return TournamentNews(_("the season ends soon"), state, [rest])

    letters.write_all(session, tournament, cast, f"last{season}", news, now=now)
