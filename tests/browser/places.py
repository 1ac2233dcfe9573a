"""Every page of the site that a browser can open, in a world with content on each of them.

`paths` goes through the application's own routes, so a page that is added later is found here, or a test fails
until it is covered.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from sqlmodel import col, select

from correspondence import commands as words
from correspondence.accounts import api_tokens, operators, postal_members
from correspondence.accounts.accounts import person_by_handle
from correspondence.commands import proposals
from correspondence.community import member_mail
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import spell
from correspondence.features.webhooks import webhooks
from correspondence.matchmaking import challenges, invitations, seeks
from correspondence.models import ApiScope, Match, Purpose, Token
from correspondence.models.loading import persons_of, players_of, position_of
from correspondence.moderation import register
from correspondence.ops import sending_sweeps, worker
from correspondence.play import analysis, matches
from correspondence.rulebook.chapters import CHAPTERS
from correspondence.transport import letters_in, open_post
from correspondence.web.admin import LISTS
from correspondence.web.static_files import is_static
from tests import ladders, leagues
from tests.exercises import found_in
from tests.reviews import make_here
from tests.robots import robots_in
from tests.tournaments import begun, make
from tests.world import KEY, World

PLIES = 9

NO_PAGES = {
    "feeds.archive": "a feed",
    "feeds.game": "a feed",
    "feeds.player": "a feed",
    "feeds.records": "a file",
    "by_post.sheet": "a file",
    "by_post.sheets": "a file",
    "pictures.record": "a file",
    "archive_files.file": "a file",
    "archive_files.manifest": "JSON for programs",
    "clock_settings.feed": "a calendar",
    "clock_settings.deadlines": "a calendar",
    "pictures.as_png": "a picture",
    "pictures.as_svg": "a picture",
    "pictures.as_small_svg": "a picture",
    "pictures.as_text": "a picture in letters",
    "pictures.animation": "a picture",
    "pictures.film": "a picture",
    "rules.film": "a picture",
    "rules.picture": "a picture",
    "rules.image": "a picture",
    "previews.manifest": "JSON for browsers",
    "rules.diagram": "a picture",
    "play.moves": "JSON for a script",
    "scenes.of_game": "JSON for a script",
    "embed.scenes": "JSON for a script",
    "embed.picture": "a picture",
    "embed.oembed": "JSON for programs",
    "play.ply": "JSON for a script",
    "analysis.moves": "JSON for a script",
    "analysis.export": "a file",
    "analysis.export_shared": "a file",
    "waiting.count": "JSON for a script",
    "push_settings.worker": "a script of browsers",
    "tryout.moves": "JSON for a script",
    "openings.moves": "JSON for a script",
    "guest_deal.moves": "JSON for a script",
    "visitor_games.moves": "JSON for a script",
    "visitor_games.state": "JSON for a script",
    "exercises.moves": "JSON for a script",
    "health.health": "JSON for programs",
    "health.ready": "JSON for programs",
    "metrics.metrics": "numbers for programs",
    "fairness.public_keys": "JSON for programs",
    "fairness.checker": "a file",
    "crawlers.robots": "a text for programs",
    "crawlers.sitemap": "XML for programs",
    "crawlers.security": "a text for programs",
    "crawlers.icon": "a picture",
    "looks.dark": "the style sheet in one colour scheme",
    "looks.light": "the style sheet in one colour scheme",
    "static": "scripts, style sheet and pictures of the pages",
    "play.show_next": "leads to the next game",
    "games.go": "leads to a moment of a game",
    "analysis.latest": "leads to the board of the present moment",
    "tournaments.as_json": "JSON for programs",
    "tournaments.as_trf": "a file for programs",
}
"""Routes that answer GET but are not pages, each with what it returns instead."""


class Places:
    """A world with games of every kind, letters, seeks and invitations, and the paths of all its pages."""

    def __init__(self, world: World) -> None:
        self.world, self.rng = world, random.Random(5)
        for handle in ("ann", "bob", "cleo"):
            world.join(handle, zone="Europe/Rome", vacation_hours_left=720)
        self._begin_games()
        self._meet_robots()
        self._appoint("ann")
        self._speak_and_ask()
        self._make_webhooks("ann")
        self._send_letters()
        self._begin_tournaments()
        self.table = self._table()

    # -- content ----------------------------------------------------------------------------

    def _begin_games(self) -> None:
        world = self.world
        self.games = {}
        for key in ("proteus-dice", "proteus-tiles", "duel", "plateau"):
            self.games[key] = world.match(key)
            self._play(self.games[key], PLIES)
        with transaction(world.runtime.engine) as session:
            ann = person_by_handle(session, "ann")
            alone = challenges.start_alone(session, ann, "duel-puzzle", {}, now=world.clock(), rng=world.runtime.rng)
            self.games["duel-puzzle"] = alone.id
        self.over = world.match("duel", "bob", "ann")
        self._play_by_post()
        self._play(self.over, PLIES)
        world.resign(self.over, "ann")
        make_here(world, self.over, budget=60)
        self.exercise = found_in(world, "proteus-tiles")
        self.open = {key: number for key, number in self.games.items() if self._actor(number) == "ann"}
        while worker.sweep_openings(world.runtime):
            pass

    def _play_by_post(self) -> None:
        """Let cleo play by post against ann, who helps bob."""
        with transaction(self.world.runtime.engine) as session:
            ann, bob, cleo = (person_by_handle(session, handle) for handle in ("ann", "bob", "cleo"))
            details = postal_members.PostalDetails(
                "Cleo Miller", "12 Mill Lane\nWells", plays_by_post=True, is_listed=True
            )
            for person in (bob, cleo):
                postal_members.save(session, person, details, now=self.world.clock())
            postal_members.name_helper(session, bob, "ann", now=self.world.clock())
            postal_members.agree(session, ann, "bob", now=self.world.clock())
        self.postal = self.world.match("proteus-dice", "cleo", "ann")

    def _appoint(self, handle: str) -> None:
        with transaction(self.world.runtime.engine) as session:
            operators.appoint(session, handle)

    def _begin_tournaments(self) -> None:
        """Begin one with ann, bob and cleo, leave one open; ann is challenged on a ladder, and a league begins."""
        self.tournaments = [begun(self.world, "ann", "bob", "cleo", name="Autumn")]
        self.tournaments.append(make(self.world, "ann", players=8, code="fig", about="For everybody."))
        ladders.enter(self.world, "ann", "bob", "cleo")
        ladders.challenge(self.world, "cleo", "ann")
        leagues.enter(self.world, "ann", "bob", "cleo")

    def _make_webhooks(self, handle: str) -> None:
        """Make one webhook on the page, and one by a program, which is switched off."""
        now = self.world.clock()
        with transaction(self.world.runtime.engine) as session:
            person = person_by_handle(session, handle)
            api_tokens.make(session, person, "my robot", ApiScope.PLAY, now=now)
            [token] = api_tokens.live_tokens(session, person.id, now=now)
            for maker in (None, webhooks.Maker(token.id, token.name)):
                url = f"https://bot.example.org/{'program' if maker else 'page'}"
                hook = webhooks.register(session, person, "My bot", url, ["your_turn", "talk"], maker=maker, now=now)
            webhooks.switch_off(session, hook, now=now)

    def _meet_robots(self) -> None:
        """Start robots, and a game of bob with one of them."""
        robots_in(self.world).stop()
        with transaction(self.world.runtime.engine) as session:
            bob = person_by_handle(session, "bob")
            seek = challenges.challenge(
                session, bob, "duel-robot-2", "duel", {}, seat=0, now=self.world.clock(), rng=self.world.runtime.rng
            )
            self.robot = seek.match_id

    def _play(self, number: int, plies: int) -> None:
        for _ply in range(plies):
            with reading(self.world.runtime.engine) as session:
                match = session.get_one(Match, number)
                position = position_of(match)
                if match.ended_at or not position.to_act:
                    return
                seat = position.to_act[0]
                handle = persons_of(session, players_of(session, number))[seat].handle
            move = position.random_move(seat, self.rng)
            self.world.clock.go(minutes=30)
            remark = "I had not seen that coming." if self.rng.random() < 0.2 else ""
            self.world.play(number, handle, position.view(seat).write(seat, move), comment=remark)

    def _actor(self, number: int) -> str:
        with reading(self.world.runtime.engine) as session:
            to_act = position_of(session.get_one(Match, number)).to_act
            return persons_of(session, players_of(session, number))[to_act[0]].handle if to_act else ""

    def _speak_and_ask(self) -> None:
        runtime, now = self.world.runtime, self.world.clock()
        with transaction(runtime.engine) as session:
            ann, bob, cleo = (person_by_handle(session, handle) for handle in ("ann", "bob", "cleo"))
            self.challenge = challenges.challenge(session, bob, "ann", "plateau", {}, now=now).id
            challenges.challenge(session, ann, "cleo", "proteus-dice", {"roulette": "before"}, now=now)
            conditions = {"rating": "1400-1800", "days": "10"}
            seeks.seek(session, bob, "duel", {}, conditions, now=now, rng=runtime.rng)
            seeks.seek(session, ann, "proteus-tiles", {}, {}, now=now, rng=runtime.rng)
            self.invitation = invitations.invite(session, cleo, "", "duel", {}, now=now).id
            member_mail.write(session, bob, "ann", "Hello, shall we play?", now=now)
            talker = next(p for p in players_of(session, self.games["plateau"]) if p.person_id == ann.id)
            matches.say(session, talker, "Good luck, and have fun! " * 6, now=now)
            number = self.games["proteus-tiles"]
            first = position_of(session.get_one(Match, number))
            seat = next(p.seat for p in players_of(session, number) if p.person_id == ann.id)
            if seat in first.to_act:
                text = first.write(seat, next(first.legal_moves(seat)))
                analysis.try_move(session, ann, number, PLIES, None, text, now=now)
            commands = [replace(words.read_line(one), written=one) for one in ("away 5 days", "block cleo")]
            self.proposal = proposals.propose(session, ann, commands, through=None, now=now).id
            self.shared = analysis.share(session, ann, self.over, now=now).id

    def _send_letters(self) -> None:
        runtime = self.world.runtime
        self.world.clock.go(hours=2)
        self.world.app.test_client().post("/sign-in", data={"who": "bob"})
        self.stop = self._token(Purpose.STOP)
        sending_sweeps.sweep_letters(runtime, open_post(runtime.settings))
        self.letters = [one.key for one in letters_in(runtime.settings.mail_send.removeprefix("maildir:"))]

    def _token(self, purpose: Purpose) -> int:
        with reading(self.world.runtime.engine) as session:
            return session.exec(select(Token.id).where(Token.purpose == purpose).order_by(col(Token.id).desc())).first()

    # -- paths ------------------------------------------------------------------------------

    def _table(self) -> dict[str, list[str]]:
        sign_in = spell(KEY, self._token(Purpose.SIGN_IN))
        open_game = self.games["proteus-tiles"]
        return {
            "leagues.show": ["/leagues/duel", "/leagues/plateau"],
            "leagues.show_season": ["/leagues/duel/1"],
            "ladders.show": ["/ladders/duel", "/ladders/plateau"],
            "tournaments.show": [f"/tournaments/{number}" for number in self.tournaments],
            "tournaments.show_round": [f"/tournaments/{self.tournaments[0]}/1"],
            "tournaments.ask": ["/tournaments/new", "/tournaments/new?game=duel"],
            "games.show": [f"/games/{number}" for number in (*self.games.values(), self.over, self.postal, self.robot)],
            "admin.listed": [f"/desk/lists/{name}" for name in LISTS],
            "admin_acts.ask": [f"/desk/do/{kind}" for kind in register.ACTS],
            "by_post.card": [f"/games/{self.postal}/card"],
            "games.at": [f"/games/{self.games['plateau']}/4", f"/games/{self.over}/0"],
            "embed.show": [f"/games/{self.games['plateau']}/embed", f"/games/{self.over}/embed", "/games/4000/embed"],
            "embed.at": [f"/games/{self.games['plateau']}/4/embed", f"/games/{self.over}/0/embed?bottom=1"],
            "analysis.show": [f"/games/{open_game}/{PLIES}/try", f"/games/{self.over}/5/try"],
            "plan_board.show": [f"/games/{number}/plan/board" for number in self.games.values()],
            "fairness.offline": ["/help/check.html"],
            "fairness.evidence": [f"/games/{self.games['plateau']}/evidence", f"/games/{self.over}/evidence"],
            "analysis.shared": [f"/games/{self.over}/try/{spell(KEY, self.shared)}"],
            "play.ask_to_resign": [f"/games/{next(iter(self.games.values()))}/resign"],
            "mail_log.of_game": [f"/games/{open_game}/mail"],
            "invitations.show": [f"/i/{spell(KEY, self.invitation)}", "/i/none"],
            "account.link": [f"/t/{sign_in}", "/t/none"],
            "proposals.ask": [f"/yes/{spell(KEY, self.proposal)}", "/yes/none"],
            "unsubscribe.ask": [f"/u/{spell(KEY, self.stop)}"],
            "dev_mailbox.letter": [f"/mail/{key}" for key in self.letters[:1]],
            "dev_mailbox.letter_html": [f"/mail/{key}/sheet" for key in self.letters[:1]],
            "history.player": ["/players/bob", "/players/ann", "/players/duel-robot-2"],
            "blocking.ask_to_report": ["/players/bob/report"],
            "directory.ask": ["/players/bob/write"],
            "seeks.counter_form": [f"/challenges/{self.challenge}/counter"],
            "seeks.ask": ["/seeks/new", "/seeks/new?game=proteus-dice"],
            "challenges.ask": ["/challenge", "/challenge?game=proteus-dice&handle=bob", "/challenge?game=duel-puzzle"],
            "invitations.ask": ["/invite?game=proteus-dice"],
            "openings.show": ["/openings/duel", "/openings/proteus-dice?options=polarity%3Dyes"],
            "history.finished": ["/archive", "/archive?game=duel", "/archive?longest=many"],
            "ratings.of_game": ["/ratings/duel"],
            "exercises.show": [
                f"/exercises/{self.exercise}{query}" for query in ("", "?moves=Mo@a1", "?solution=shown")
            ],
            "rules.show": [f"/rules/{key}" for key in self.games],
            "tryout.show": [
                f"/rules/{key}/{chapter.diagrams[0].name}/try{line}"
                for key, chapter in CHAPTERS.items()
                for line in ("", "?moves=zz9")
            ],
        }

    def paths(self) -> Iterator[str]:
        """Return the paths of all pages; an assertion fails for a route that is not covered."""
        for rule in sorted(self.world.app.url_map.iter_rules(), key=str):
            if (
                "GET" not in rule.methods
                or is_static(rule.endpoint)
                or rule.endpoint in NO_PAGES
                or rule.endpoint.startswith("api.")
            ):  # JSON
                continue
            assert not rule.arguments or rule.endpoint in self.table, (
                f"{rule} is a page that is not visited: give it paths in the table of tests/browser/places.py, "
                "or a reason in NO_PAGES"
            )
            yield from self.table.get(rule.endpoint, [rule.rule])
        yield from ("/nothing-of-this-name", "/games/4000")

    def paths_of(self, handle: str) -> Iterator[str]:
        """Return the paths of all pages for a visitor; of those that only redirect to sign-in, the first."""
        has_been_led = False
        for path in self.paths():
            is_led = not handle and self._leads_to_sign_in(path)
            if not (is_led and has_been_led):
                yield path
            has_been_led |= is_led

    def _leads_to_sign_in(self, path: str) -> bool:
        self.world.clock.go(minutes=1)
        return (self.world.client().get(path).location or "").startswith("/sign-in")

    def refused(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Return forms that are refused, as paths and fields."""
        game = self.open.get("proteus-dice") or next(iter(self.open.values()))
        yield f"/games/{game}/move", {"move": "zz9", "ply": str(self._ply(game)), "takebacks": "0", "comment": "Oh"}
        yield f"/games/{game}/read", {"move": "zz9", "ply": str(self._ply(game))}
        yield "/challenge", {"game": "duel", "handle": "nobody", "pace": "own", "days": "x"}
        yield "/seeks/new", {"game": "duel", "games": "none", "open-days": "x"}
        yield "/invite", {"game": "duel", "address": "no address"}
        yield "/challenge", {"game": "duel", "handle": "bob", "pace": "3", "words": "rain " * 41}
        yield "/robots", {"robot": "duel-robot-1", "game": "plateau", "pace": "3"}
        yield "/seeks/4000/words", {"words": "rain"}
        yield f"/challenges/{self.challenge}/counter", {"game": "plateau", "handle": "bob", "pace": "own", "days": "x"}
        yield "/players/bob/write", {"text": ""}
        yield "/settings/tokens", {"name": ""}
        yield "/players/bob/report", {"words": ""}
        yield "/settings", {"language": "tlh", "zone": "Moon/Crater"}
        yield "/settings/time", {"country": "Nowhere"}
        yield "/settings/time/away", {"days": "many"}
        yield "/settings/people", {"handle": "nobody"}
        yield "/settings/partners", {"post": "not " * 300}
        yield "/settings/partners/limit", {"limit": "many"}
        yield "/settings/post", {"name": "", "address": ""}
        yield f"/games/{self.postal}/card", {"move": "c3", "word": "BB", "ply": "0", "takebacks": "0"}
        yield "/settings/addresses/add", {"mail": "nobody at all"}
        yield "/recover", {"code": "guess", "mail": "ann@new.example"}
        yield f"/exercises/{self.exercise}", {"move": "zz9"}
        yield "/settings/letters", {"turn_delay": "x", "digest": "sometimes"}
        yield "/tournaments/new", {"game": "duel", "format": "swiss", "players": "1", "name": "Our <cup>"}
        yield f"/tournaments/{self.tournaments[1]}/enter", {"code": "plum"}
        yield "/ladders/duel/challenge", {"handle": "nobody"}
        yield "/leagues/duel/enter", {}
        yield f"/tournaments/{self.tournaments[1]}/remove", {"handle": "nobody", "reason": "None"}
        yield "/settings/webhooks", {"name": "My bot", "url": "http://bot.example.org/hook"}

    def refused_to_strangers(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Return forms that are refused to visitors who are not signed in."""
        yield "/join", {"handle": "!", "mail": "nowhere"}
        yield "/sign-in", {"who": ""}
        yield "/puzzles/guest", {"move": "zz9"}
        yield "/try-a-game/move", {"move": "zz9"}
        yield f"/games/{self.games['duel']}/move", {"move": "5@b3", "comment": "kept"}

    def _ply(self, number: int) -> int:
        with reading(self.world.runtime.engine) as session:
            return session.get_one(Match, number).ply
