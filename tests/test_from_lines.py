"""A forged From line: it may ask, and whatever else it asks for waits for a yes from the registered address."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence import commands, create_app
from correspondence.commands import command_types, handlers, proposals, registry
from correspondence.core import db, tokens
from correspondence.features.reviews.command import ReviewCommand
from correspondence.features.tournaments.commands import Enter, SitOut, TournamentLine, Tournaments
from correspondence.features.tournaments.ladder_commands import LadderLine
from correspondence.features.tournaments.league_commands import LeagueLine
from correspondence.matchmaking import invitations
from correspondence.models import Inbound, Letter, Person, Purpose, Seek, Suppression, Token
from correspondence.web.current import bind
from tests.club import challenge, seek
from tests.mail_failures.boxes import rows
from tests.own_pages import OwnPages
from tests.post import reply_address
from tests.post import text_of as raw_text_of
from tests.sizes import examples, sampled
from tests.test_letters_do_nothing import does_something
from tests.world import mail_world

DOOR, OURS = "play@games.example", "mx.games.example"

LINES = {
    command_types.Other: "hello there",
    command_types.InvalidCommand: "away",
    command_types.InGame: "game 1: c3/f2=B",
    command_types.Help: "help",
    command_types.Join: "join ann7",
    command_types.Games: "games",
    command_types.Show: "show 1",
    command_types.Legal: "legal 1",
    command_types.History: "history 1",
    command_types.Record: "record 1",
    ReviewCommand: "review 1",
    Tournaments: "tournaments",
    TournamentLine: "tournament new swiss duel",
    Enter: "enter 5",
    LadderLine: "ladder duel enter",
    LeagueLine: "league duel enter",
    SitOut: "bye 5",
    command_types.Exercise: "exercise",
    command_types.Rules: "rules duel",
    command_types.SeekPartner: "seek duel 3 days",
    command_types.Seeks: "seeks",
    command_types.Challenge: "challenge bob duel 3 days",
    command_types.Invite: "invite friend@elsewhere.example duel",
    command_types.Counter: "counter 1 board=sun",
    command_types.DiceWords: "words 2: a walk in the rain",
    command_types.Rematch: "rematch 1",
    command_types.Withdraw: "withdraw 2",
    command_types.Renew: "renew 2",
    command_types.Reopen: "reopen 2",
    command_types.Write: "write bob: hello\nand more of it",
    command_types.Accept: "accept 1",
    command_types.Decline: "decline 1",
    command_types.Yes: "yes",
    command_types.No: "no",
    command_types.PlanLine: "if e4 then e5",
    command_types.ShowPlan: "plan",
    command_types.ResumePlan: "plan on",
    command_types.Cancel: "cancel plan",
    command_types.OpenPlans: "open plans",
    command_types.Preview: "preview c3/f2=B",
    command_types.Draw: "draw",
    command_types.Takeback: "takeback",
    command_types.Pause: "pause 3 days",
    command_types.Claim: "claim",
    command_types.Nudge: "nudge",
    command_types.Resign: "resign",
    command_types.Away: "away 5 days",
    command_types.Back: "back",
    command_types.Partners: "partners",
    command_types.Robots: "robots",
    command_types.Puzzle: "puzzle",
    command_types.Learn: "learn duel",
    command_types.Hint: "hint",
    command_types.ShowSettings: "settings",
    command_types.ChangeSetting: "settings digest daily 7:00",
    command_types.Stop: "stop",
    command_types.Export: "export",
    command_types.ForgetMe: "forget me",
    command_types.Letters: "letters",
    command_types.TestLetter: "test letter",
    command_types.SignIn: "sign in",
    command_types.Wait: "wait",
    command_types.Ratings: "ratings",
    command_types.Block: "block bob",
    command_types.Unblock: "unblock bob",
    command_types.Mute: "mute bob",
    command_types.Unmute: "unmute bob",
    command_types.Addresses: "addresses",
    command_types.AddressAdd: "address add ann@work.example",
    command_types.AddressRemove: "address remove ann@work.example",
    command_types.AddressMain: "address main ann@work.example",
    command_types.NewRecoveryCode: "recovery code",
    command_types.Recover: "recover abcde-fghij-klmno-pqrst-uvwxy-2",
    command_types.Report: "report bob He is rude.\nHe said so.",
}
"""A line for each command that there is."""

MAIL_ROWS = {"letter", "token"}
"""What an answer to a mail leaves; everything else in the database is an effect."""


def text_of(letter):
    return raw_text_of(letter).replace("\r\n", "\n")


def every_command():
    return set(registry.declarations())


def needed(kind):
    return registry.declarations()[kind].need


def written(line):
    return commands.parse_commands(line.split("\n"))[0]


def laid(town):
    """Ann has a challenge to answer, a seek and a game; somebody writes in her name."""

    def lay():
        town.join("ann", "bob", vacation_hours_left=720)
        challenge(town, "bob", "ann", "plateau")
        seek(town, "ann", "plateau")
        town.match()
        town.received.clear()

    town.begin("what is needed by commands", (), lay)
    return town


@pytest.fixture
def game(town):
    return laid(town)


def changed(town, act):
    before = rows(town.engine)
    act()
    return {table for table, one in rows(town.engine).items() if one != before[table]}


def forge(town, body, author="ann@example.org", **headers):
    town.received.clear()
    return town.mail(author, DOOR, body, **headers)


def tokens_for_proposals(town):
    with db.reading(town.engine) as session:
        return session.exec(select(Token).where(Token.purpose == Purpose.PROPOSAL).order_by(col(Token.id))).all()


# -- what must be decided -----------------------------------------------------------------


def test_every_command_is_named_in_the_table_of_what_it_needs():
    assert every_command() == set(LINES)
    assert {kind for kind, line in LINES.items() if type(written(line)) is not kind} == set()


def test_whatever_is_a_question_or_belongs_to_a_game_was_decided_on_purpose():
    by_need = {need: {kind.__name__ for kind in LINES if needed(kind) == need} for need in handlers.Need}
    assert by_need[handlers.Need.NOTHING] == {
        *(
            "InvalidCommand",
            "Help",
            "Join",
            "Games",
            "Show",
            "Legal",
            "History",
            "Record",
            "Exercise",
            "Rules",
            "Seeks",
            "Partners",
            "Robots",
            "ShowSettings",
            "Tournaments",
        ),
        *("Letters", "Ratings", "Export", "TestLetter", "SignIn", "Addresses", "Recover", "Yes", "No", "Wait"),
    }
    assert by_need[handlers.Need.YES] >= {
        *(
            "Away",
            "Back",
            "Stop",
            "ChangeSetting",
            "Block",
            "Unblock",
            "Mute",
            "Report",
            "SeekPartner",
            "Challenge",
        ),
        *("Accept", "Decline", "Counter", "Rematch", "Invite", "Write", "Puzzle", "ForgetMe"),
    }


# -- the attack ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(every_command(), key=lambda one: one.__name__), ids=lambda one: one.__name__)
def test_a_forged_from_changes_nothing_and_whatever_comes_of_it_goes_to_the_registered_address(game, kind):
    assert changed(game, lambda: forge(game, LINES[kind])) <= MAIL_ROWS
    assert {str(letter["To"]) for letter in game.received} == {"ann@example.org"} and len(game.received) == 1
    is_asked = needed(kind) == handlers.Need.YES
    assert ("Reply with yes" in text_of(game.letter("ann"))) is is_asked
    assert len(tokens_for_proposals(game)) == is_asked


@pytest.mark.parametrize("kind", sampled(kind for kind in LINES if needed(kind) == handlers.Need.YES),
                         ids=lambda one: one.__name__)  # fmt: skip
def test_a_yes_does_what_a_reply_to_a_letter_would_have_done(kind, tmp_path):
    outcomes, effects = [], []
    for way in ("proposed", "replied"):
        town = laid(mail_world(tmp_path / way))
        town.begin("a letter to answer", (), lambda town=town: town.mail("ann@example.org", DOOR, "games"))
        answered = town.letter("ann")
        before = rows(town.engine)
        if way == "proposed":
            town.mail("ann@example.org", DOOR, LINES[kind])
            answered = town.letter("ann")
        outcomes.append(town.answer(answered, "yes" if way == "proposed" else LINES[kind]))
        after = rows(town.engine)
        effects.append({table for table in before if before[table] != after[table]} - MAIL_ROWS)
        town.close()
    assert outcomes[0] == outcomes[1] and effects[0] == effects[1]


TRICKS = [
    "ann@example.org <eve@evil.example>",
    '"ann@example.org" <eve@evil.example>',
    "<ann@example.org>eve@evil.example",
    "ann@example.org, eve@evil.example",
    "eve@evil.example, ann@example.org",
    "Ann: ann@example.org;",
    "=?utf-8?q?ann=40example=2Eorg?= <eve@evil.example>",
]


@pytest.mark.parametrize("author", TRICKS)
@pytest.mark.parametrize("more", ["", "Sender: ann@example.org\n", "Reply-To: ann@example.org\nSender: ann@x.org\n"])
def test_tricks_with_from_sender_and_reply_to_do_nothing(game, author, more):
    raw = f"From: {author}\n{more}Message-ID: <1@evil.example>\nSubject: x\n\naway 5 days\nexport\n".encode()
    assert changed(game, lambda: (game.put(raw, DOOR, "eve@evil.example"), game.sweep())) <= MAIL_ROWS
    assert tokens_for_proposals(game) == [] and not game.letters("ann")


@pytest.mark.parametrize("more", ["Reply-To: eve@evil.example\n", "Sender: eve@evil.example\n",
                                  "Resent-From: eve@evil.example\nReturn-Path: <eve@evil.example>\n"])  # fmt: skip
def test_an_answer_never_goes_where_the_mail_says_it_should(game, more):
    raw = f"From: ann@example.org\n{more}Message-ID: <1@evil.example>\nSubject: x\n\naway 5 days\ngames\n".encode()
    assert changed(game, lambda: (game.put(raw, DOOR, "eve@evil.example"), game.sweep())) <= MAIL_ROWS
    assert {str(letter["To"]) for letter in game.received} == {"ann@example.org"}


FORGED = {
    "none": "", "foreign": "mx.evil.example; dmarc=pass header.from=example.org",
    "like ours": f"x.{OURS}; dmarc=pass header.from=example.org",
    "another domain": f"{OURS}; dmarc=pass header.from=evil.example",
    "in a comment": f"{OURS} (dmarc=pass header.from=example.org); none",
    "lent": f"{OURS}; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=example.org",
    "fail": f"{OURS}; dmarc=fail header.from=example.org",
    "both": f"{OURS}; dmarc=fail; dmarc=pass header.from=example.org",
}  # fmt: skip


@pytest.mark.parametrize("field", FORGED.values(), ids=FORGED)
def test_a_forged_verdict_vouches_for_nobody_and_the_command_is_proposed(game, field):
    game.settings = replace(game.settings, mail_authserv_id=OURS)
    headers = {"Authentication_Results": field} if field else {}
    assert changed(game, lambda: forge(game, "away 5 days\ngames", **headers)) <= MAIL_ROWS
    text = text_of(game.letter("ann"))
    assert "nothing shows that it is from you" in text and "Your games:" not in text
    assert game.answer(game.letter("ann"), "yes") == "done: away"


def test_a_verdict_says_nothing_where_no_name_of_our_server_is_set(game):
    forge(game, "away 5 days", Authentication_Results=f"{OURS}; dmarc=pass header.from=example.org")
    assert "A mail in your name asks" in text_of(game.letter("ann"))


@pytest.mark.parametrize("line", ["away 5 days", "invite friend@elsewhere.example duel", "write bob: hello"])
def test_where_our_mail_server_vouches_for_from_it_is_done_at_once(game, line):
    game.settings = replace(game.settings, mail_authserv_id=OURS)
    outcome = forge(game, line, Authentication_Results=f"{OURS}; dmarc=pass header.from=example.org")
    assert outcome == f"done: {line.split(' ')[0]}" and tokens_for_proposals(game) == []


# -- one letter, one transcript -----------------------------------------------------------


def test_one_letter_answers_the_questions_refuses_the_rest_and_proposes_what_changes_something(game):
    forge(game, "games\naway 5 days\nresign\nblock bob\nwhat else is there?")
    (letter,) = game.received
    text = text_of(letter)
    assert "Your games" in text
    assert "· away 5 days\n· block bob" in text
    assert "(1) game 1: resign (against bob)" in text
    assert "· games" not in text and "· resign" not in text
    game.received.clear()
    game.answer(letter, "yes")
    (letter,) = game.letters("ann")
    text = " ".join(text_of(letter).split())
    assert text.index("Your clocks are stopped") < text.index("bob is blocked") and "Your games:" not in text


def test_all_words_of_a_letter_to_a_member_are_proposed_and_then_sent(game):
    forge(game, "write bob: hello\nand more of it\nresign")
    assert "· write bob: hello\n| and more of it\n| resign" in text_of(game.letter("ann"))
    game.answer(game.letter("ann"), "yes")
    game.wait(minutes=6)
    assert "  hello\n  and more of it\n  resign" in text_of(game.letter("bob"))


def test_the_subject_of_an_empty_mail_is_proposed_too(game):
    game.mail("ann@example.org", DOOR, "", subject="away 5 days")
    assert game.answer(game.letter("ann"), "yes") == "done: away"


def test_a_second_yes_is_told_that_it_was_done(game):
    forge(game, "away 5 days")
    letter = game.letter("ann")
    game.answer(letter, "yes")
    assert changed(game, lambda: game.answer(letter, "yes")) <= MAIL_ROWS
    assert "already done" in text_of(game.letter("ann"))


def test_a_yes_that_comes_too_late_is_told_so_and_the_reply_can_say_it_again(game):
    forge(game, "away 5 days")
    letter = game.letter("ann")
    game.wait(days=3)
    assert game.answer(letter, "yes") == "done: refused"
    assert "more than 3 days" in " ".join(text_of(game.letter("ann")).split())
    assert game.answer(letter, "away 5 days") == "done: away"


def test_what_is_gone_when_the_yes_comes_is_a_sentence_and_the_rest_is_done(game):
    number = game.offer()
    forge(game, f"accept {number}\naway 5 days")
    letter = game.letter("ann")
    with db.transaction(game.engine) as session:
        session.delete(session.get(Seek, number))
    game.answer(letter, "yes")
    text = text_of(game.letter("ann"))
    assert f"No challenge number {number} is waiting for you" in text and "Your clocks are stopped" in text


def test_a_no_does_nothing_and_the_words_of_the_proposal_quoted_back_do_nothing(game):
    forge(game, "away 5 days\nblock bob")
    letter = game.letter("ann")
    quotation = "".join(f"> {line}\n" for line in text_of(letter).splitlines())
    bare = text_of(letter)
    for body in ("no", quotation, f"On Monday somebody wrote:\n{quotation}", bare):
        assert changed(game, lambda body=body: game.answer(letter, body)) <= MAIL_ROWS


def test_a_yes_from_another_address_or_to_the_door_does_nothing(game):
    forge(game, "away 5 days")
    letter = game.letter("ann")
    assert changed(game, lambda: game.answer(letter, "yes", sender="eve@evil.example")) <= MAIL_ROWS
    assert changed(game, lambda: game.mail("ann@example.org", DOOR, "yes", answering=letter)) <= MAIL_ROWS


@pytest.mark.parametrize("line", sampled(LINES.values()))
def test_no_line_of_a_proposal_would_do_anything_if_it_came_back(game, line):
    forge(game, f"{line}\n{'away 5 days ' + 'resign ' * 30}\nblock bob")
    for letter in game.letters("ann"):
        lines = text_of(letter).splitlines()
        assert [one for one in lines if does_something(one)] == []


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=200), max_size=5))
def test_whatever_words_are_quoted_no_line_of_the_quotation_does_anything(lines):
    text = "\n".join(["hello", *lines])
    letter = command_types.Write("bob", text, written="write bob: hello")
    assert [one for one in proposals.quoted([letter]).splitlines() if does_something(one)] == []


# -- floods -------------------------------------------------------------------------------


def test_the_same_proposal_is_not_sent_twice_while_it_waits(game):
    forge(game, "away 5 days")
    for body in ("away 5 days", "Away 5 days.", "  away 5 days  \n"):
        assert forge(game, body).startswith("done: not proposed") and game.received == []
    forge(game, "games\naway 5 days")
    assert "Your games" in text_of(game.letter("ann")) and "still waiting for your yes" in text_of(game.letter("ann"))
    assert len(tokens_for_proposals(game)) == 1


def test_a_forger_can_have_ten_proposals_mailed_in_a_day_and_the_tenth_says_so(game):
    for days in range(1, 20):
        game.mail("ann@example.org", DOOR, f"away {days} days")
    texts = [" ".join(text_of(letter).split()) for letter in game.letters("ann")]
    assert len(texts) == proposals.PROPOSALS_A_DAY == 10
    assert ["last such letter for today" in one for one in texts] == [False] * 9 + [True]
    game.wait(days=1, minutes=1)
    game.received.clear()
    game.mail("ann@example.org", DOOR, "away 3 days")
    assert game.received == []  # that one still waits
    game.mail("ann@example.org", DOOR, "away 25 days")
    assert len(game.letters("ann")) == 1


def test_a_forger_gets_no_more_than_a_few_links_to_the_data_mailed(game):
    for _time in range(20):
        game.mail("ann@example.org", DOOR, "export")
    assert len(game.letters("ann")) <= 5


# -- who needs no second step -------------------------------------------------------------


def test_every_letter_to_a_member_can_be_answered_without_a_second_step(game):
    challenge(game, "bob", "ann", "proteus-tiles")
    seek(game, "ann", "duel", days="1")
    game.answer(game.agree("ann", "settings") and game.letter("ann"), "forget me\nexport\ntest letter\ngames")
    game.answer(game.letter("ann"), "resign")
    game.wait(days=2)
    forge(game, "block bob")
    with db.reading(game.engine) as session:
        kinds = session.exec(select(Letter.kind, Letter.reply_token_id).where(Letter.person_id.is_not(None))).all()
    assert {"turn", "challenge", "answer", "forget", "export", "test", "proposal"} <= dict(kinds).keys()
    assert [kind for kind, token in kinds if token is None] == []


def test_no_letter_is_written_to_a_member_without_an_address_to_answer_to():
    """Every draft of a letter names a token, but for those to the operator; an answer to a stranger has none to name."""
    without = []
    for file in Path("correspondence").rglob("*.py"):
        if "Draft" not in (text := file.read_text()):
            continue
        of_letters = {"letters.Draft", *(["Draft"] if "outbound.letters import Draft" in text else [])}
        for node in ast.walk(ast.parse(text)):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            is_letter = called in of_letters
            if is_letter and "reply_token" not in {one.arg for one in node.keywords}:
                without.append(file.stem)
    assert sorted(without) == ["dead_letters", "operator_mail", "reports", "robot_failures"]


@pytest.mark.parametrize("is_member", [True, False])
def test_whoever_answers_the_letter_of_an_invitation_has_no_second_step_and_its_link_speaks_for_nobody(town, is_member):
    town.join("ann", *(["friend"] if is_member else []))
    with db.transaction(town.engine) as session:
        link = invitations.invite(session, town.person(session, "ann"), "friend@example.org", "duel", {}, now=town.time)
        link_box = f"r.{tokens.spell(town.settings.secret_key, link.id)}@games.example"
    town.deliver()
    letter = town.letter("friend")
    if not is_member:
        town.mail("friend@example.org", DOOR, "join friend")
        town.answer(town.letter("friend"), "yes")
    assert reply_address(letter) != link_box
    town.mail("friend@example.org", link_box, "accept")  # the inviter has this link, and forges From
    assert town.stand(1) is None and "A mail in your name asks" in text_of(town.letter("friend"))
    town.answer(letter, "accept")
    assert town.stand(1).game == "duel"


def test_a_yes_to_a_proposal_takes_the_invitation_whose_link_was_answered(town):
    town.join("ann", "bob")
    with db.transaction(town.engine) as session:
        link = invitations.invite(session, town.person(session, "ann"), "", "duel", {}, now=town.time)
        box = f"r.{tokens.spell(town.settings.secret_key, link.id)}@games.example"
    town.mail("bob@example.org", box, "accept")
    town.answer(town.letter("bob"), "yes")
    assert town.stand(1).game == "duel"


def test_who_has_joined_and_answers_the_letter_that_asked_him_to_is_obeyed(town):
    town.mail("ann@example.org", DOOR, "join ann")
    question = town.letter("ann")
    town.answer(question, "yes")
    town.answer(question, "settings digest daily 7:00")
    assert "once a day, at 7:00" in text_of(town.letter("ann"))


# -- strangers ----------------------------------------------------------------------------


def test_a_forged_stop_of_a_stranger_is_told_to_him_and_he_can_join_all_the_same(town):
    town.mail("cleo@example.org", DOOR, "stop")
    assert "join YOURNAME" in text_of(town.letter("cleo"))
    town.mail("cleo@example.org", DOOR, "join cleo")
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Suppression)).all()) == 1  # a From line takes no stop back
    town.answer(town.letter("cleo"), "yes")
    with db.reading(town.engine) as session:
        assert session.exec(select(Suppression)).all() == []


def test_a_forged_stop_of_a_member_is_only_proposed(game):
    forge(game, "stop")
    with db.reading(game.engine) as session:
        assert session.exec(select(Suppression)).all() == []
        assert session.exec(select(Person).where(Person.handle == "ann")).one().reminders


# -- the page -----------------------------------------------------------------------------


def link_in(letter):
    return re.search(r"https://games\.example(/t/[a-z2-7]{26})", text_of(letter))[1]


@pytest.fixture
def page(game):
    app = create_app(game.settings)
    app.config.update(TESTING=True)
    app.test_client_class = OwnPages
    bind(app, game.runtime)
    return app.test_client()


def test_the_page_of_a_proposal_shows_it_and_acts_on_its_button_alone_and_once(game, page):
    forge(game, "away 5 days\nblock bob")
    path = page.get(link_in(game.letter("ann"))).location
    assert changed(game, lambda: (page.get(path), page.head(path), page.post(link_in(game.letter("ann"))))) == set()
    assert "away 5 days" in page.get(path).text
    done = page.post(path)
    assert done.status_code == 200
    assert "Your clocks are stopped" in done.text
    assert "bob is blocked" in done.text
    assert changed(game, lambda: page.post(path)) == set()
    assert page.get(path).status_code == page.post(path).status_code == 404


def test_a_token_for_anything_else_opens_no_such_page(game, page):
    forge(game, "games")
    other = re.search(r"r\.(\w{26})@", reply_address(game.letter("ann")))[1]
    for path in (f"/yes/{other}", "/yes/" + "b" * 26, "/yes/x"):
        assert page.get(path).status_code == page.post(path).status_code == 404


def test_words_with_signs_of_html_stand_on_the_page_as_words(game, page):
    forge(game, "write bob: <script>alert(1)</script>")
    shown = page.get(page.get(link_in(game.letter("ann"))).location).text
    assert "<script>alert" not in shown and "&lt;script&gt;alert(1)" in shown


# -- one mailbox, ten lines, one offer ----------------------------------------------------


def test_plus_addresses_of_one_mailbox_are_asked_once_about_one_handle(town):
    for name in ("cleo", "cleo+a", "Cleo+b", "CLEO+c+d"):
        town.mail(f"{name}@example.org", DOOR, "join cleo")
    assert len([one for one in town.received if "please confirm" in str(one["Subject"])]) == 1


def test_plus_addresses_of_one_mailbox_get_one_invitation(town):
    town.join("ann", "bob")
    for name, box in (("ann", "friend"), ("bob", "friend+x"), ("bob", "Friend+y")):
        with db.transaction(town.engine) as session:
            game = "duel" if box != "Friend+y" else "plateau"
            invitations.invite(session, town.person(session, name), f"{box}@elsewhere.example", game, {}, now=town.time)
    town.deliver()
    assert len([one for one in town.received if "elsewhere" in str(one["To"])]) == 1


def test_plus_addresses_of_one_mailbox_get_ten_answers_a_day_together(town):
    for number in range(30):
        town.mail(f"cleo+{number}@example.org", DOOR, f"help\nrules {'duel' if number % 2 else 'plateau'}")
    assert len(town.received) == 10


def test_a_mail_of_fifty_commands_does_ten_and_quotes_what_it_left(game):
    lines = ["games"] * 8 + ["away 5 days", "back"] + [f"block player{n}" for n in range(39)] + ["resign"]
    game.mail("ann@example.org", DOOR, "games")
    assert changed(game, lambda: game.answer(game.letter("ann"), "\n".join(lines))) & {"block"} == set()
    text = text_of(game.letter("ann"))
    assert all(f"· block player{n}\n" in text for n in range(39))
    assert "· resign\n" in text
    assert "first 10 lines" in text
    forge(game, "\n".join(f"block player{n}" for n in range(50)))
    text = text_of(game.letter("ann"))
    assert text.index("A mail in your name asks") < text.index("player9\n") < text.index("player49")


def test_commands_that_were_left_are_done_when_they_are_sent_again(game):
    game.mail("ann@example.org", DOOR, "games")
    game.answer(game.letter("ann"), "\n".join(["games"] * 10 + ["away 5 days", "block bob", "mute bob", "settings"]))
    assert "· block bob\n" in text_of(game.letter("ann"))
    done = changed(game, lambda: game.answer(game.letter("ann"), "away 5 days\nblock bob\nmute bob\nsettings"))
    assert {"block", "mute"} <= done


def test_words_below_ten_lines_are_no_commands_that_were_left(game):
    assert commands.unread_commands(["games"] * 10 + ["", "Kind regards", "Ann"]) == ()
    assert commands.unread_commands([f"line {n}" for n in range(10)] + ["resign"]) == ("resign",)
    assert commands.unread_commands(["write bob: hi", *["resign"] * 20]) == ()
    assert commands.unread_commands(["games"] * 4 + ["--"] + ["resign"] * 20) == ()


def offers_of(town):
    with db.reading(town.engine) as session:
        return len(session.exec(select(Seek)).all())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("challenge bob duel 3 days", "asked bob for exactly this game"),
        ("seek duel 3 days rating=1400-1800", "already looking for this same game"),
        ("invite friend@elsewhere.example duel 3 days", "exactly this invitation"),
    ],
)
def test_the_same_offer_to_the_same_person_is_one_offer(game, line, sentence):
    game.mail("ann@example.org", DOOR, "games")
    reply = game.letter("ann")
    game.answer(reply, line)
    before, letters = offers_of(game), len(game.letters("bob")) + len(game.letters("friend"))
    game.answer(reply, line)
    again = line.replace("friend@", "Friend+again@") if "@" in line else line.replace("3 days", "72 hours")
    game.answer(reply, again)
    assert offers_of(game) == before and sentence in " ".join(text_of(game.letter("ann")).split())
    assert len(game.letters("bob")) + len(game.letters("friend")) == letters
    game.answer(reply, f"{line} unrated")
    assert offers_of(game) == before + 1


def test_the_inbound_row_says_what_came_of_a_forged_mail(game):
    forge(game, "away 5 days")
    with db.reading(game.engine) as session:
        last = session.exec(select(Inbound).order_by(col(Inbound.id).desc())).first()
        assert (last.reason, last.person_id) == ("proposed", 1)
