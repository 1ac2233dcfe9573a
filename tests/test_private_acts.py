"""What somebody does in private leaves no trace for others: two equal worlds, in one of which it is done.

Every page, feed, record, picture, export and letter of everybody else is the same in both, sign for sign. Afterwards
public life goes on in both, so that a number which the private acts had moved would show.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from difflib import unified_diff
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, web_sessions
from correspondence.community import blocking, reports
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import spell
from correspondence.features.webhooks import webhooks
from correspondence.inbound import mailbox
from correspondence.matchmaking import challenges, invitations, seeks
from correspondence.models import Audience, Match, Person, Player
from correspondence.models.loading import players_of
from correspondence.ops.sending_sweeps import sweep_events, sweep_outbox
from correspondence.ops.worker import sweep_openings
from correspondence.outbound import events
from correspondence.play import analysis, chat, matches
from correspondence.play.conditional import plan_commands
from correspondence.queries import ical
from correspondence.web import throttle
from correspondence.web.static_files import is_static
from tests.attacks.reach import answer_to
from tests.outgoing import ScriptedPost
from tests.programs import bearer
from tests.world import KEY, World

DUEL, PLATEAU, STREET, OVER, CLEOS, ALONE = range(1, 7)
"""The games: three of ann and bob in play, of which two keep secrets, one that is over, cleo's, and ann's puzzle."""

READERS = ("ann", "cleo", "")


class Stage:
    """A world in which ann plays bob, and cleo looks on; `act` is what happens in private before life goes on.

    It keeps the faces that it shows to these `readers`.
    """

    def __init__(self, folder, act, readers=READERS):
        folder.mkdir()
        self.world = World(folder, mail_domain="games.example", base_url="https://games.example")
        self.post = ScriptedPost()
        for handle in ("ann", "bob", "cleo"):
            self.world.join(handle)
        self.do(lambda session, _now: [events.begin(session, person) for person in session.exec(select(Person))])
        self._begin()
        self.world.clock.go(hours=1)
        act(self)
        self.world.clock.go(hours=1)
        self._go_on()
        sweep_events(self.world.runtime)
        self.faces = {(who, path): face for who in readers for path, face in self._faces(who)}
        self.faces |= {("ann", f"POST {path}"): face for path, face in self._answers()}
        self.letters = self._letters()

    # -- what happens in both worlds -------------------------------------------------------

    def _begin(self):
        world = self.world
        for handle in filter(None, READERS):
            bearer(world, handle)  # a token of a program, which is made once
        world.match("duel")
        world.match("plateau")
        world.match("proteus-dice", wall_street="secret")
        world.match("duel", "bob", "ann")
        world.match("duel", "cleo", "ann")
        self.do(lambda session, now: challenges.start_alone(
            session, self.person(session, "ann"), "duel-puzzle", {}, now=now, rng=world.runtime.rng
        ))  # fmt: skip
        for number, handle, text in (
            (DUEL, "ann", "3@a1"), (DUEL, "bob", "3@b1"), (PLATEAU, "ann", "+b1 xr,xb"), (PLATEAU, "bob", "+d4 xx,rr"),
            (STREET, "ann", "setup PPPPPPPQ"), (OVER, "bob", "3@a1"), (OVER, "ann", "3@b1"), (CLEOS, "cleo", "3@a1"),
        ):  # fmt: skip
            world.play(number, handle, text, comment="Good luck!")
        self._speak(DUEL, "bob", "Hello.")
        self._speak(DUEL, "bob", "Hello, all.", Audience.EVERYONE)
        world.resign(OVER, "bob")
        while sweep_openings(world.runtime):
            pass

    def _go_on(self):
        """Everybody does in public, and ann in private, what would take the next number of each kind."""
        self._speak(DUEL, "ann", "And what now?")
        self._speak(DUEL, "ann", "Look, all.", Audience.EVERYONE)
        self._speak(CLEOS, "cleo", "Hi.")
        self.do(lambda s, now: chat.keep_note(s, self.seat(s, DUEL, "ann"), "My note.", ply=1, now=now))
        one = self.do(lambda s, now: analysis.try_move(s, self.person(s, "ann"), DUEL, 2, None, "5@b2", now=now))
        self.do(lambda s, now: analysis.try_move(s, self.person(s, "ann"), DUEL, 2, one, "4@a2", now=now))
        self.tried = one
        self.do(lambda s, now: analysis.try_move(s, self.person(s, "ann"), OVER, 0, None, "5@b2", now=now))
        self.shared = self.do(lambda s, now: analysis.share(s, self.person(s, "ann"), OVER, now=now).id)
        self.do(lambda s, now: matches.offer_draw(s, self.seat(s, CLEOS, "cleo"), now=now))
        self.challenge = self.do(lambda s, now: challenges.challenge(
            s, self.person(s, "cleo"), "ann", "duel", {}, now=now
        ).id)  # fmt: skip
        self.do(lambda s, now: seeks.seek(
            s, self.person(s, "ann"), "plateau", {}, now=now, rng=self.world.runtime.rng
        ))  # fmt: skip
        self.calendar = self.do(lambda s, now: ical.open_feed(s, self.person(s, "ann"), now=now).id)
        self.do(lambda s, now: blocking.mute(s, self.person(s, "ann"), "cleo", now=now))
        self.do(lambda s, now: blocking.unmute(s, self.person(s, "ann"), "cleo"))
        self.do(lambda s, now: web_sessions.begin(s, self.person(s, "ann"), "Firefox", "Linux", now=now))
        self.world.play(DUEL, "ann", "5@b2", comment="There.")
        self.world.play(CLEOS, "ann", "3@b1")
        self.mail("ann", f"game {DUEL}: show\n", "play@games.example")
        self.world.clock.go(hours=2)
        sweep_outbox(self.world.runtime, self.post)

    # -- small things ----------------------------------------------------------------------

    def do(self, act):
        with transaction(self.world.runtime.engine) as session:
            return act(session, self.world.clock())

    def _speak(self, number, handle, words, audience=Audience.PLAYERS):
        self.do(lambda s, now: matches.say(s, self.seat(s, number, handle), words, now=now, audience=audience))

    def person(self, session, handle):
        return accounts.person_by_handle(session, handle)

    def seat(self, session, number, handle) -> Player:
        person = self.person(session, handle)
        return next(player for player in players_of(session, number) if player.person_id == person.id)

    def reply_address(self, number, handle):
        with reading(self.world.runtime.engine) as session:
            return f"r.{spell(KEY, self.seat(session, number, handle).token_id)}@games.example"

    def mail(self, who, body, to):
        """A mail of somebody, and all that comes of it."""
        runtime = self.world.runtime
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"{who}@example.org", to, "hello"
        message.set_content(body)
        mailbox.store_message(runtime.engine, message.as_bytes(), to, f"{who}@example.org", now=runtime.now())
        mailbox.drain(runtime.engine, runtime.settings, now=runtime.now(), rng=runtime.rng)

    def get(self, who, path, **headers):
        self.world.app.extensions["correspondence_rate_limiter"] = throttle.RateLimiter()
        return self.world.client(who).get(path, headers={**headers, **bearer(self.world, who, path)})

    # -- what others see -------------------------------------------------------------------

    def paths(self):
        with reading(self.world.runtime.engine) as session:
            plies = {number: session.get_one(Match, number).ply for number in range(DUEL, ALONE + 1)}
        games = [(number, ply) for number, last in plies.items() for ply in range(last + 1)]
        moments = {
            "games.at": "",
            "pictures.as_svg": ".svg",
            "pictures.as_small_svg": "/small.svg",
            "pictures.as_text": ".txt",
            "embed.at": "/embed",
        }
        table = {name: [f"/games/{n}/{ply}{end}" for n, ply in games] for name, end in moments.items()}
        each = {
            "games.show": "",
            "feeds.game": ".atom",
            "pictures.record": ".record",
            "pictures.animation": "/replay.svg",
            "pictures.film": "/replay.webp",
            "scenes.of_game": "/scenes.json",
            "embed.show": "/embed",
            "embed.scenes": "/embed.json",
            "mail_log.of_game": "/mail",
            "play.ply": "/ply.json",
            "play.ask_to_resign": "/resign",
            "play.show_next": "/next",
            "analysis.latest": "/try",
            "plan_board.show": "/plan/board",
            "by_post.card": "/card",
            "fairness.evidence": "/evidence",
        }
        table |= {name: [f"/games/{number}{end}" for number in plies] for name, end in each.items()}
        table |= {
            "by_post.sheet": [],
            "leagues.show_season": [],
            "tournaments.show": [],
            "tournaments.show_round": [],
            "tournaments.as_json": [],
            "tournaments.as_trf": [],
            "fairness.checker": [],
            "archive_files.file": [],
            "archive_files.manifest": [],
        }  # no text
        handles = ("ann", "bob", "cleo")
        of_person = {"history.player": "", "feeds.player": ".atom", "blocking.ask_to_report": "/report",
                     "directory.ask": "/write"}  # fmt: skip
        table |= {name: [f"/players/{handle}{end}" for handle in handles] for name, end in of_person.items()}
        return table | {
            "pictures.as_png": [f"/games/{PLATEAU}/2.png"],
            "embed.picture": [f"/games/{PLATEAU}/2/preview.png"],
            "embed.oembed": [f"/oembed?url=https://games.example/games/{n}" for n in plies],
            "games.go": [f"/games/{DUEL}/go?ply=1"],
            "play.moves": [f"/games/{n}/moves.json?ply={ply}" for n, ply in plies.items()],
            "analysis.show": [
                f"/games/{DUEL}/2/try",
                f"/games/{DUEL}/2/try?at={self.tried}",
                f"/games/{PLATEAU}/2/try",
            ],
            "analysis.moves": [f"/games/{DUEL}/2/try/moves.json?at={self.tried}"],
            "analysis.export": [f"/games/{DUEL}/2/try.txt", f"/games/{PLATEAU}/2/try.txt"],
            "analysis.export_shared": [f"/games/{OVER}/try/{spell(KEY, self.shared)}.txt"],
            "analysis.shared": [f"/games/{OVER}/try/{spell(KEY, self.shared)}"],
            "seeks.counter_form": [f"/challenges/{self.challenge}/counter"],
            "seeks.ask": ["/seeks/new", "/seeks/new?game=duel"],
            "challenges.ask": ["/challenge?game=duel&handle=bob"],
            "history.finished": ["/archive", "/archive?player=bob", "/archive?game=duel"],
            "clock_settings.feed": [f"/calendar/{spell(KEY, self.calendar)}.ics"],
            "ratings.of_game": ["/ratings/duel"],
            "ladders.show": ["/ladders/duel"],
            "leagues.show": ["/leagues/duel"],
            "api.get_tournaments_ladder": ["/api/v1/ladders/duel"],
            "api.get_tournaments_league": ["/api/v1/leagues/duel"],
            "openings.show": ["/openings/duel", "/openings/plateau"],
            "api.get_games_mine": ["/api/v1/games", "/api/v1/games?state=finished"],
            "api.get_games_show": [f"/api/v1/games/{n}?ply={ply}" for n, ply in games],
            "api.get_games_record": [f"/api/v1/games/{n}/record" for n in plies],
            "api.get_games_legal": [f"/api/v1/games/{n}/legal?most=50" for n in plies],
            "api.get_plans_show": [f"/api/v1/games/{n}/plan" for n in plies],
            "api.get_members_player": [f"/api/v1/players/{handle}" for handle in handles],
            "api.get_events_listen": ["/api/v1/events?after=0"],
            "api.get_members_ratings": ["/api/v1/ratings/duel?provisional=true"],
            **{name: [] for name in ELSEWHERE},
        }

    def _faces(self, who):
        table = self.paths()
        for rule in self.world.app.url_map.iter_rules():
            if "GET" not in rule.methods or is_static(rule.endpoint):
                continue
            assert not rule.arguments or rule.endpoint in table, f"{rule} is not compared: give it paths here"
            for path in table.get(rule.endpoint, [rule.rule]):
                self.world.app.extensions["correspondence_rate_limiter"] = throttle.RateLimiter()
                answer = answer_to(self.world, who, path, headers=bearer(self.world, who, path))
                assert answer.status_code != 429
                yield plain(path), (answer.status_code, headers_of(answer), text_in(answer))

    def _answers(self):
        """What comes back to ann from forms that change nothing, and everything that is kept about her."""
        self.world.app.extensions["correspondence_rate_limiter"] = throttle.RateLimiter()
        ann = self.world.client("ann")
        forms = {
            f"/games/{PLATEAU}/read": {"move": "+c3 xr", "ply": "2"},
            f"/games/{PLATEAU}/move": {"move": "zz9", "ply": "2"},
            f"/games/{DUEL}/2/try/read": {"move": "4@c1", "at": str(self.tried)},
            f"/games/{OVER}/move": {"move": "zz9", "ply": "2"},
            "/players/bob/write": {"text": ""},
            "/challenge": {"game": "duel", "handle": "bob", "pace": "own", "days": "x"},
        }
        for path, form in forms.items():
            answer = ann.post(path, data=form)
            yield path, (answer.status_code, headers_of(answer), text_in(answer))
        with zipfile.ZipFile(io.BytesIO(ann.post("/settings/mydata/fetch").data)) as file:
            yield "mydata", {name: plain(file.read(name).decode()) for name in file.namelist()}

    def _letters(self):
        """The letters that everybody but bob has had, with their envelopes."""
        return [
            (plain(sender), to, [(name, plain(str(value))) for name, value in letter.items() if name not in UNEQUAL],
             [plain(part.get_content()) for part in letter.walk() if part.get_content_maintype() == "text"],
             [part.get_content() for part in letter.walk() if part.get_content_maintype() == "image"])
            for sender, to, raw in self.post.taken
            if to != "bob@example.org" and (letter := message_from_bytes(raw, policy=default))
        ]  # fmt: skip


ELSEWHERE = {
    "static": "no viewer has a part in it",
    "rules.show": "no viewer has a part in it",
    "rules.picture": "no viewer has a part in it",
    "rules.film": "no viewer has a part in it",
    "rules.image": "no viewer has a part in it",
    "rules.diagram": "no viewer has a part in it",
    "tryout.show": "no viewer has a part in it",
    "tryout.moves": "no viewer has a part in it",
    "exercises.show": "how many have solved it is public, and each sees their own moves alone (test_exercises.py)",
    "exercises.moves": "each sees their own moves alone (test_exercises.py)",
    "dev_mailbox.letter": "exists only on one's own machine",
    "dev_mailbox.letter_html": "exists only on one's own machine",
    "admin_acts.ask": "for operators alone",
    "admin.listed": "for operators alone",
    "account.link": "the link of a letter, which is compared as such",
    "proposals.ask": "the link of a letter, which is compared as such",
    "unsubscribe.ask": "the link of a letter, which is compared as such",
    "invitations.show": "the link of a letter, which is compared as such",
}
"""The rules whose pages are not compared, each with the reason."""

UNEQUAL = {"Content-Type", "DKIM-Signature"}
"""Headers that hold a boundary drawn at random."""

_BY_LOT = (
    (re.compile(r'data-key="[\w-]{87}"'), "KEY FOR PUSHES"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "COMMITMENT"),
    (re.compile(r"\b[a-z2-7]{26}\b"), "TOKEN"),
    (re.compile(r"\b(?:[a-z2-7]{5}-){5}[a-z2-7]\b|(?<=%%code\.)[0-9a-f]{40}"), "CODE"),
    (re.compile(r"(?<=\.)[0-9a-f]{16}\b"), "RANDOM"),
    (re.compile(r"\b[0-9a-f]{16}(?=@)|(?<=_id\": \")[0-9a-f]{16}\b"), "RANDOM"),
    (re.compile(r"(?<=cid:)[^\"'>]+|<[^<>@]+@[^<>]*\.image>"), "CID"),
)


def plain(text):
    """The text with what is drawn at random, or spelled with the key, blotted out; test_tokens.py looks at those."""
    for pattern, name in _BY_LOT:
        text = pattern.sub(name, text)
    return text


def headers_of(answer):
    """The headers without what each world draws; that tags of pages tell nothing is held by test_unchanged_pages.py.

    Tags of what programs are answered are made of the body, which is compared.
    """
    has_drawn_tag = answer.mimetype == "text/html" or answer.request.path.startswith("/api/")
    drawn = {"Set-Cookie", "Date", *(["ETag"] if has_drawn_tag else [])}
    return sorted((name, value) for name, value in answer.headers.items() if name not in drawn)


def text_in(answer):
    return answer.text if answer.mimetype.startswith(("text/", "application/")) else answer.data


def cleaned(face):
    """A face without what is drawn at random; done where two are not the same anyway, as it takes long."""
    if not isinstance(face, tuple):
        return face
    status, headers, body = face
    return status, [(name, plain(value)) for name, value in headers], plain(body) if isinstance(body, str) else body


# -- private acts ---------------------------------------------------------------------------


@dataclass
class Acts:
    """Private acts of one person; each is a function of the stage."""

    who: str

    def notes(self, stage):
        for number in (DUEL, PLATEAU, OVER) if self.who == "bob" else (CLEOS,):
            for ply in (0, None):
                stage.do(lambda s, now, n=number, p=ply: chat.keep_note(
                    s, stage.seat(s, n, self.who), "A private thought.", ply=p, now=now
                ))  # fmt: skip

    def a_note_dropped(self, stage):
        number = DUEL if self.who == "bob" else CLEOS
        page = stage.world.client(self.who).post(f"/games/{number}/say", data={"text": "Mine", "audience": "me"})
        page = stage.get(self.who, f"/games/{number}").text
        drop = re.search(rf"/games/{number}/notes/\d+/drop", page)[0]
        assert stage.world.client(self.who).post(drop).status_code == 303

    def tried_moves(self, stage):
        for number, text in ((DUEL, "4@c1"), (DUEL, "5@b2"), (OVER, "5@c3")):
            stage.do(lambda s, now, n=number, t=text: analysis.try_move(
                s, stage.person(s, self.who), n, 2 if n == DUEL else 0, None, t, now=now
            ))  # fmt: skip
        one = stage.do(lambda s, now: analysis.try_move(s, stage.person(s, self.who), OVER, 0, None, "5@c3", now=now))
        stage.do(lambda s, now: analysis.comment(s, stage.person(s, self.who), OVER, one, "A private comment."))
        stage.do(lambda s, now: analysis.share(s, stage.person(s, self.who), OVER, now=now))

    def mute(self, stage):
        stage.do(lambda s, now: blocking.mute(s, stage.person(s, self.who), "ann", now=now))

    def mute_one_game(self, stage):
        number = DUEL if self.who == "bob" else CLEOS
        stage.do(lambda s, now: blocking.mute_match(s, stage.seat(s, number, self.who), now=now))

    def report(self, stage):
        stage.do(lambda s, now: reports.report(
            s, stage.person(s, self.who), "ann", "She is rude.", operator="boss@example.org", now=now
        ))  # fmt: skip

    def previews(self, stage):
        number, ply = (PLATEAU, 2) if self.who == "bob" else (CLEOS, 1)
        for text in ("+c3 xr", "5@b3", "nonsense"):
            stage.world.client(self.who).post(f"/games/{number}/read", data={"move": text, "ply": str(ply)})
        stage.mail(self.who, "preview 4@b2", stage.reply_address(DUEL if self.who == "bob" else CLEOS, self.who))

    def looks(self, stage):
        for path in ("/", "/games", f"/games/{DUEL}", f"/games/{PLATEAU}/1", "/players/ann", "/partners", "/settings"):
            stage.get(self.who, path)
        number = DUEL if self.who == "bob" else CLEOS
        stage.world.client(self.who).post(f"/games/{number}/seen", data={"ply": "1"})

    def asks_by_mail(self, stage):
        stage.mail(self.who, "help\ngames\n", "play@games.example")
        stage.mail(self.who, f"history {DUEL}\n", "play@games.example")

    def invitations_and_browsers(self, stage):
        def invite(session, now):
            invitations.invite(session, stage.person(session, self.who), "", "duel", {}, now=now)
            web_sessions.begin(session, stage.person(session, self.who), "Firefox", "Linux", now=now)

        stage.do(invite)

    def links_and_calendars(self, stage):
        stage.world.app.extensions["correspondence_rate_limiter"] = throttle.RateLimiter()
        stage.world.app.test_client().post("/sign-in", data={"who": self.who})
        stage.do(lambda s, now: ical.open_feed(s, stage.person(s, self.who), now=now))
        stage.world.client(self.who).post("/settings/mydata/fetch")

    def webhooks(self, stage):
        stage.do(lambda s, now: webhooks.register(
            s, stage.person(s, self.who), "Bot", "https://bot.example/", ["your_turn", "talk"],
            now=now,
        ))  # fmt: skip

    def settings(self, stage):
        def change(session, _now):
            person = stage.person(session, self.who)
            person.text_only, person.receipts, person.digest, person.quiet_from = True, True, "daily", 3
            person.quiet_until = 5
            session.add(person)

        stage.do(change)


def plan_kept(stage):
    stage.do(lambda s, now: plan_commands.enter(s, stage.seat(s, DUEL, "bob"), "if 5@c1 then 4@d1", now=now))


def plan_dropped(stage):
    plan_kept(stage)
    stage.do(lambda s, now: plan_commands.cancel(s, stage.seat(s, DUEL, "bob"), now=now))


def plan_by_mail(stage):
    stage.mail("bob", "if 5@c1 then 4@d1\nplan\ncancel\n", stage.reply_address(DUEL, "bob"))


def all_of(who):
    """Everything that somebody can do in private, one after the other."""
    acts = Acts(who)
    names = [name for name in vars(Acts) if not name.startswith("_") and name != "who"]

    def do_all(stage):
        for name in names:
            getattr(acts, name)(stage)
        if who == "bob":
            plan_by_mail(stage)
            plan_dropped(stage)
            plan_kept(stage)

    return do_all


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """The world in which nothing happened in private."""
    stage = Stage(tmp_path_factory.mktemp("quiet") / "world", lambda _stage: None)
    yield stage
    stage.world.close()


def differences(one, other):
    """The lines in which two faces differ."""
    if one == other or (one := cleaned(one)) == (other := cleaned(other)):
        return []
    rows = [str(face).replace("\\n", "\n").splitlines() for face in (one, other)]
    lines = [line for line in unified_diff(*rows, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
    return lines or [one, other]


@pytest.fixture(scope="module")
def blocked(tmp_path_factory):
    """The world in which bob has blocked ann."""

    def block(stage):
        stage.do(lambda s, now: blocking.block(s, stage.person(s, "bob"), "ann", now=now))

    stage = Stage(tmp_path_factory.mktemp("blocked") / "world", block)
    yield stage
    stage.world.close()


def compare(quiet, tmp_path, act, readers):
    other = Stage(tmp_path / "world", act, readers)
    try:
        compare_stages(quiet, other, readers)
    finally:
        other.world.close()


def compare_stages(quiet, other, readers, besides=frozenset()):
    compared = [place for place in quiet.faces if place[0] in readers and place[1] not in besides]
    unequal = {place: differences(quiet.faces[place], other.faces.get(place)) for place in compared}
    assert [f"{place}: {line}" for place, lines in unequal.items() for line in lines] == []
    assert {place for place in quiet.faces if place in other.faces or place[0] in readers} == set(other.faces)
    addresses = {f"{handle}@example.org" for handle in readers}
    letters = [[one for one in stage.letters if one[1] in addresses] for stage in (quiet, other)]
    assert letters[0] and letters[0] == letters[1]


@pytest.mark.thorough
def test_the_two_worlds_are_one_where_nothing_is_done(quiet, tmp_path):
    compare(quiet, tmp_path, lambda _stage: None, READERS)


def test_what_an_opponent_does_in_private_is_seen_by_nobody(quiet, tmp_path):
    compare(quiet, tmp_path, all_of("bob"), READERS)


def test_what_an_onlooker_does_in_private_is_seen_by_nobody(quiet, tmp_path):
    compare(quiet, tmp_path, all_of("cleo"), ("ann", ""))


def test_a_block_shows_to_nobody_who_is_not_blocked(quiet, blocked):
    compare_stages(quiet, blocked, ("cleo", ""))


def test_of_a_block_the_blocked_sees_no_more_than_that_one_partner_is_not_to_be_had(quiet, blocked):
    compare_stages(quiet, blocked, ("ann",), besides={"/partners", "POST /players/bob/write"})
