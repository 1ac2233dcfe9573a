from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from correspondence.commands import (
    COMMAND_LINES,
    GAME_KEYS,
    LINE_LENGTH,
    Accept,
    Away,
    Back,
    Cancel,
    Challenge,
    Command,
    CommandError,
    Decline,
    Draw,
    Exercise,
    Export,
    ForgetMe,
    Games,
    Help,
    Hint,
    History,
    InvalidCommand,
    Invite,
    Join,
    Learn,
    Legal,
    Letters,
    No,
    Other,
    Partners,
    PlanLine,
    Preview,
    Puzzle,
    Record,
    Resign,
    ResumePlan,
    Robots,
    Rules,
    SeekPartner,
    Seeks,
    Show,
    ShowPlan,
    ShowSettings,
    Stop,
    Takeback,
    Wait,
    Yes,
    looks_like_move,
    normalise,
    parse_commands,
    read_line,
    read_pace,
    split_move_number,
)
from correspondence.core.time_control import TimeControl
from engines import GAMES

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
THREE_DAYS = TimeControl(3 * DAY, 3 * DAY, 3 * DAY)

MEANT = {
    "help": Help(),
    "Help!": Help(),
    "?": Help(),
    "join ann7": Join("ann7"),
    "join as ann7": Join("ann7"),
    "games": Games(),
    "show 42": Show(42),
    "show #42": Show(42),
    "show game 42": Show(42),
    "show": Show(),
    "legal": Legal(),
    "legal moves": Legal(),
    "legal 42": Legal(42),
    "legal a2": Legal(None, "a2"),
    "legal 42 a2": Legal(42, "a2"),
    "mosse": Legal(),
    "history 42": History(42),
    "exercise": Exercise(),
    "exercise 12": Exercise(12),
    "esercizio": Exercise(),
    "record": Record(),
    "rules": Rules(),
    "rules Plateau": Rules("plateau"),
    "rules proteus dice": Rules("proteus-dice"),
    "rules chess": Rules("chess"),
    "seek plateau": SeekPartner("plateau"),
    "seek duel layout=ring 3 days unrated": SeekPartner("duel", (("layout", "ring"),), THREE_DAYS, False),
    "seek duel 3 days a move layout = ring": SeekPartner("duel", (("layout", "ring"),), THREE_DAYS),
    "seeks": Seeks(),
    "challenge bob plateau": Challenge("bob", "plateau"),
    "challenge bob proteus tiles 3 days": Challenge("bob", "proteus-tiles", (), THREE_DAYS),
    "challenge bob Proteus with tiles 3 days": Challenge("bob", "proteus-tiles", (), THREE_DAYS),
    "seek Proteus with dice": SeekPartner("proteus-dice"),
    "challenge bob Duel Puzzle": Challenge("bob", "duel-puzzle"),
    "challenge bob duel white": Challenge("bob", "duel", (("seat", "white"),)),
    "challenge bob duel as Black, 3 days": Challenge("bob", "duel", (("seat", "black"),), THREE_DAYS),
    "challenge bob duel seat=black": Challenge("bob", "duel", (("seat", "black"),)),
    "seek plateau as white": SeekPartner("plateau", (("seat", "white"),)),
    "sfida bob duel come nero": Challenge("bob", "duel", (("seat", "nero"),)),
    "invite bob@post.example duel 3 days": Invite("bob@post.example", "duel", (), THREE_DAYS),
    "invite <bob@localhost> duel unrated": Invite("bob@localhost", "duel", (), None, False),
    "accept": Accept(),
    "accept 5": Accept(5),
    "accept draw": Accept(what="draw"),
    "decline the pause": Decline(what="pause"),
    "rifiuto la patta": Decline(what="draw"),
    "decline #5": Decline(5),
    "reject 5": Decline(5),
    "yes": Yes(),
    "YES.": Yes(),
    "no": No(),
    "if b2 then c3": PlanLine("if b2 then c3"),
    "If b2, then c3; if b3 then (c4 if d5 then e6)": PlanLine("if b2, then c3; if b3 then (c4 if d5 then e6)"),
    "then if b2 then c3": PlanLine("then if b2 then c3"),
    "plan on": ResumePlan(),
    "resume plan": ResumePlan(),
    "plan": ShowPlan(),
    "cancel": Cancel(),
    "preview e4 e5 d4": Preview("e4 e5 d4"),
    "preview +b1 xx,rb": Preview("+b1 xx,rb"),
    "draw": Draw(),
    "draw?": Draw(),
    "takeback": Takeback(),
    "take back": Takeback(),
    "resign": Resign(),
    "I resign!": Resign(),
    "away 5 days": Away(5),
    "away 5": Away(5),
    "away for 2 weeks": Away(14),
    "back": Back(),
    "partners": Partners(),
    "robots": Robots(),
    "i robot": Robots(),
    "learn duel": Learn("duel"),
    "impara duel": Learn("duel"),
    "puzzle": Puzzle(),
    "puzzle goal=3 board=sun": Puzzle((("goal", "3"), ("board", "sun"))),
    "hint": Hint(),
    "settings": ShowSettings(),
    "stop": Stop(),
    "export": Export(),
    "forget me": ForgetMe(),
    "letters": Letters(),
    "wait": Wait(),
}


@pytest.mark.parametrize("line", MEANT)
def test_a_line_that_is_a_command_is_understood(line):
    assert read_line(line) == MEANT[line]
    assert read_line(f"  {line}  ") == MEANT[line]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("aiuto", Help()),
        ("Hilfe", Help()),
        ("aide", Help()),
        ("ayuda", Help()),
        ("partite", Games()),
        ("mes parties", Games()),
        ("sì", Yes()),
        ("ja", Yes()),
        ("oui", Yes()),
        ("abbandono", Resign()),
        ("ich gebe auf", Resign()),
        ("j’abandonne", Resign()),
        ("me rindo", Resign()),
        ("patta", Draw()),
        ("mostra 42", Show(42)),
        ("sfida bob duel", Challenge("bob", "duel")),
    ],
)
def test_other_languages_have_aliases_for_what_is_a_whole_line(line, command):
    assert read_line(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "I resign myself to losing",
        "a4 is bad, so e4",
        "resign? never",
        "resign?",
        "help is on its way",
        "join us for dinner tonight",
        "show me the money",
        "rules are there to be broken",
        "seek the truth within",
        "challenge me again some day",
        "invite them all",
        "accept my apologies",
        "decline of the west",
        "yes, that was a blunder",
        "no way",
        "if he moves then I am lost",
        "plan your moves ahead",
        "cancel that",
        "preview of coming attractions",
        "draw me a picture",
        "away from home",
        "back soon",
        "stop it",
        "wait for me",
        "forget me not",
        "move your king",
        "thanks for the game",
        "letters from home",
    ],
)
def test_a_sentence_that_only_begins_like_a_command_is_talk(line):
    assert read_line(line) == Other(line)
    assert not looks_like_move(line)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("chalenge bob plateau", Challenge("bob", "plateau")),
        ("challange bob duel", Challenge("bob", "duel")),
        ("acept", Accept()),
        ("acept 5", Accept(5)),
        ("shwo 42", Show(42)),
        ("histroy 42", History(42)),
        ("ruels plateau", Rules("plateau")),
        ("sekk duel 3 days", SeekPartner("duel", (), THREE_DAYS)),
        ("hlep", Help()),
        ("resgin", Resign()),
        ("partnres", Partners()),
        ("perview e4 e5", Preview("e4 e5")),
        ("mvoe e2-e4", Other("e2-e4")),
    ],
)
def test_a_misspelt_word_is_understood_where_the_rest_fits(line, command):
    assert read_line(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "step",
        "plane",
        "design",
        "accent",
        "bank",
        "drew",
        "joint venture",
        "challenges are fun",
        "accepts no excuses",
        "more of the same",
        "seem to duel",
        "rude plateau",
        "peek duel",
        "invited bob",
    ],
)
def test_a_word_of_its_own_is_not_taken_for_a_slip(line):
    assert read_line(line) == Other(line)


@pytest.mark.parametrize(
    "line",
    [
        "seek",
        "join",
        "challenge",
        "invite",
        "away",
        "preview",
        "challenge bob",
        "seek plateau fast",
        "seek plateau -3 days",
        "seek plateau 0 days",
        "seek plateau 900 years",
        "seek duel layout=ring layout=sun",
        "challenge bob duel 3 fortnights",
        "away 0 days",
        "away -5 days",
        "away 900 days",
    ],
)
def test_a_command_that_cannot_be_meant_is_answered_with_a_sentence(line):
    with pytest.raises(CommandError, match=r"^[“A-Z].*\w\.?$"):
        read_line(line)


def test_a_mistaken_line_does_not_take_the_others_with_it():
    wrong, right = parse_commands(["seek plateau 0 days", "resign"])
    assert right == Resign()
    assert isinstance(wrong, InvalidCommand)
    assert wrong.sentence.startswith("“0 days” is not a pace")


@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("3 days", THREE_DAYS),
        ("3 days a move", THREE_DAYS),
        ("3 days/move", THREE_DAYS),
        ("3d", THREE_DAYS),
        ("72 hours per move", THREE_DAYS),
        ("3 giorni per mossa", THREE_DAYS),
        ("3 Tage pro Zug", THREE_DAYS),
        ("3 jours par coup", THREE_DAYS),
        ("1 week", TimeControl(7 * DAY, 7 * DAY, 7 * DAY)),
        ("1 day 12 hours", TimeControl(36 * HOUR, 36 * HOUR, 36 * HOUR)),
        ("48h + 24h", TimeControl(48 * HOUR, 24 * HOUR, 48 * HOUR)),
        ("10 days + 36 h", TimeControl(10 * DAY, 36 * HOUR, 10 * DAY)),
        ("10 days and 36 hours", TimeControl(10 * DAY, 36 * HOUR, 10 * DAY)),
        ("10 giorni e 36 ore per mossa", TimeControl(10 * DAY, 36 * HOUR, 10 * DAY)),
        ("2 weeks and 2 days", TimeControl(16 * DAY, 16 * DAY, 16 * DAY)),
        ("1 day and 12 hours", TimeControl(36 * HOUR, 36 * HOUR, 36 * HOUR)),
        ("10 days + 36 h a move, at most 12 days", TimeControl(10 * DAY, 36 * HOUR, 12 * DAY)),
        ("10 days + 0 h", TimeControl(10 * DAY, timedelta(0), 10 * DAY)),
        ("24/8/48", TimeControl(24 * HOUR, 8 * HOUR, 48 * HOUR)),
        ("24h/8h/48h", TimeControl(24 * HOUR, 8 * HOUR, 48 * HOUR)),
    ],
)
def test_a_pace_is_bank_increment_and_cap(text, pace):
    assert read_pace(text) == pace


@pytest.mark.parametrize(
    "text",
    [
        "-3 days",
        "0 days",
        "900 years",
        "3",
        "soon",
        "3 days + ",
        "1+2+3",
        "48/8/24",
        "99999 days",
        "3 days + 900 days",
        "",
    ],
)
def test_a_pace_that_is_nothing_endless_or_unreadable_is_refused(text):
    with pytest.raises(CommandError, match="is not a pace to play at"):
        read_pace(text)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("3 days 5 days", "3 days", "5 days"),
        ("5 days 3 days", "5 days", "3 days"),
        ("3 days and 5 days", "3 days", "5 days"),
        ("36 hours 3 days", "36 hours", "3 days"),
        ("10 days 36 hours", "10 days", "36 hours"),
    ],
)
def test_two_times_that_make_neither_one_nor_a_bank_and_an_increment_are_asked_about(text, first, second):
    with pytest.raises(CommandError, match=f"“{first}” and “{second}” are two times"):
        read_pace(text)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("post", 30),
        ("by post", 30),
        ("Per posta", 30),
        ("post 21 days", 21),
        ("post 3 weeks a move", 21),
        ("post: 60", 60),
        ("14 days by post", 14),
        ("30 giorni per mossa, per posta", 30),
    ],
)
def test_a_pace_for_the_post_is_a_time_for_each_move(text, days):
    assert read_pace(text) == TimeControl(days * DAY, days * DAY, days * DAY)


@pytest.mark.parametrize("text", ["post 13 days", "61 days by post", "post 3", "post 12 hours"])
def test_a_pace_for_the_post_outside_its_limits_is_told_them(text):
    with pytest.raises(CommandError, match="By post a move takes from 14 to 60 days, and .* is not within that"):
        read_pace(text)


@pytest.mark.parametrize("text", ["post soon", "post 10 days + 3 days", "posthaste", "post office"])
def test_what_only_begins_like_a_pace_for_the_post_is_none(text):
    with pytest.raises(CommandError, match="is not a pace to play at"):
        read_pace(text)


def test_a_seek_and_a_challenge_take_a_pace_for_the_post():
    month = TimeControl(30 * DAY, 30 * DAY, 30 * DAY)
    seek, challenge = parse_commands(["seek duel by post unrated", "challenge ann duel post"])
    assert (seek.pace, seek.rated, challenge.pace) == (month, False, month)


def test_a_refused_pace_says_the_limits():
    with pytest.raises(CommandError, match="each time is from one hour to ninety days"):
        read_pace("soon")


DICE = """
    c3/f2=B  Nxe5/a1=Y  Rad4/c1=B  Re6^/a2=B  dxe6^/a1=P  Rxh8  f2==N  Bxc5  {N}  f2=B  Bxc5/f2=B  d3-e5/a1=Y
    a6-e6/a2=B  h1-h8  Rh1-h8  Rh1xh8  Ra4d4  f2+  f2-  Rxh8#  Bxc5{N}/f2=B  Q@b2
"""
TILES = "Mo@b2  s@a1  oc3  a1=c3  s@a1+Ms  oc2+Go  a3=b3+Go+Ms#  tc2#  oa1-c3  Ms@b2+Ms"
DUEL = """
    5@b3  5c4  5c4=W3  5c4=W3#  W1b4=W2  W1b4=W2#  5b3-c4=W3  W1a4-b4=W2  B5@b3  W5c4  5c4:EENWN  5c4=W3:EENWN
"""
PLATEAU = """
    a1(3)-b1(2)-c1(1)-d1  a1(2)-b1(5)-c1  a1-b1(5)-c1  a2~(2)-a3x2  a2~-a3  a2~-a3x  b2~x1  b2~x
    a1(2)-b1(1)-c2  a1-c1  refuse  pass
"""
PHONES = "E4  e2–e4  O–O  0-0  ｅ４  c3！"
PHRASES = [
    "army QPPPPPPP",
    "army q p p p, p p p p",
    "setup PPBPNPPP",
    "roll 4-2",
    "+b1 xx,rb",
    "+c3/0 xr",
    "+b1/2 xx",
    "+b1 xx",
    "tender M,BM",
    "pay B,R",
    "pay rx",
    "Nxe5, a1=Y",
    "c3 f2=B",
    "e2 e4",
    "a1 (3) - b1 (2) - d1",
]


@pytest.mark.parametrize("text", [*f"{DICE} {TILES} {DUEL} {PLATEAU} {PHONES}".split(), *PHRASES])
def test_every_notation_looks_like_a_move(text):
    assert looks_like_move(text)
    assert looks_like_move(f"  {text}. ")
    assert looks_like_move(f"12. {text}")
    assert read_line(text) == Other(text)


@pytest.mark.parametrize("text", ["Kf9", "c3/f2=X", "e9", "Mo@d9", "tender M,M,M,M,M", "army PPPPPPP"])
def test_an_impossible_move_still_looks_like_one(text):
    assert looks_like_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "to b4",
        "I play b4",
        "a4 is bad",
        "b4 now",
        "pass the salt",
        "pay me",
        "army deserters",
        "tender is the night",
        "10:30",
        "1-0",
        "2nd",
        "h2o",
        "b2b",
        "mp3",
        "see you at 5",
        "12.",
        "3 days",
        "http://a1.example/b2",
        "a1 " * 40,
    ],
)
def test_prose_never_looks_like_a_move(text):
    assert not looks_like_move(text)


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("12. c3/f2=B", (12, "c3/f2=B")),
        ("12.c3", (12, "c3")),
        ("1... c5/d8=B", (1, "c5/d8=B")),
        ("1… c5", (1, "c5")),
        ("#12 c3/f2=B", (12, "c3/f2=B")),
        ("move 12: c3/f2=B", (12, "c3/f2=B")),
        ("Move 12 c3", (12, "c3")),
        ("5. 5c4", (5, "5c4")),
        ("5) 5@b3", (5, "5@b3")),
        ("7: tender M,BM", (7, "tender M,BM")),
        ("5c4", (None, "5c4")),
        ("5@b3", (None, "5@b3")),
        ("move 5c4", (None, "move 5c4")),
        ("10.30 is fine", (None, "10.30 is fine")),
        ("2. is my lucky number", (None, "2. is my lucky number")),
        ("#12", (None, "#12")),
    ],
)
def test_a_stated_number_is_parted_from_the_move(line, stated):
    assert split_move_number(line) == stated


@pytest.mark.parametrize("line", ["move e2-e4", "Move: e2-e4", "mvoe e2-e4", "mossa e2-e4", "Zug e2–e4"])
def test_the_word_move_is_dropped_before_a_move(line):
    assert read_line(line) == Other("e2-e4")


def test_the_word_move_leaves_the_number_in_place():
    command = read_line("move 12: c3/f2=B")
    assert command == Other("12: c3/f2=B")
    assert split_move_number(command.line) == (12, "c3/f2=B")


def test_telephone_typing_is_made_plain_and_keeps_its_letter_case():
    assert normalise("  e2–e4 “Bb4”…　５c4 \u200e") == 'e2-e4 "Bb4"... 5c4'
    assert normalise("Bb4") != normalise("bB4")


def test_a_dice_move_keeps_the_difference_of_b_and_B():
    assert read_line("bxc3/f2=B") == Other("bxc3/f2=B")


def test_reading_stops_after_ten_lines():
    assert len(parse_commands(["c3"] * 30)) == COMMAND_LINES
    assert parse_commands([*["", " "] * 20, "resign"]) == (Resign(),)


@pytest.mark.parametrize("end", ["--", "-- ", "quit", "Quit.", "thanks", "Thank you!", "grazie", "—-"])
def test_reading_stops_where_the_writer_takes_leave(end):
    assert parse_commands(["c3", end, "resign"]) == (Other("c3"),)


def test_a_sentence_of_thanks_does_not_hide_what_follows():
    assert parse_commands(["thanks for waiting", "c3"]) == (Other("thanks for waiting"), Other("c3"))


def test_every_game_can_be_named_with_a_misspelt_command():
    assert set(GAMES) <= set(GAME_KEYS)


WORDS = st.sampled_from(sorted({*" ".join(MEANT).split(), "=", "+", "-3", "then", "c3"}))
LINES = st.one_of(st.text(), st.lists(st.one_of(WORDS, st.text(max_size=6)), max_size=8).map(" ".join))


@given(LINES)
@example("seek plateau " + "9" * 40 + " days")
@example("if (((( then ((((")
def test_no_line_raises_anything_but_a_sentence(line):
    try:
        command = read_line(line)
    except CommandError as error:
        assert re.match("[“A-Z]", str(error))
    else:
        assert isinstance(command, Command)
        assert not isinstance(command, Other) or command.line in line or command.line in normalise(line)


@given(st.lists(LINES, max_size=30))
def test_no_lines_raise_at_all(lines):
    assert len(parse_commands(lines)) <= COMMAND_LINES


@given(LINES)
def test_normalising_twice_is_normalising_once(line):
    assert normalise(normalise(line)) == normalise(line)


@given(LINES)
def test_a_number_is_stated_only_before_something_that_looks_like_a_move(line):
    number, text = split_move_number(line)
    assert number is None or looks_like_move(text)


TALK = [
    "the",
    "bishop",
    "was",
    "stronger",
    "than",
    "your",
    "rook",
    "I",
    "think",
    "well",
    "played",
    "see",
    "you",
]


@given(st.lists(st.sampled_from(TALK), min_size=1))
def test_words_of_talk_are_never_a_command_or_a_move(words):
    line = " ".join(words)
    assert read_line(line) == Other(line)
    assert not looks_like_move(line)


@pytest.mark.parametrize("piece", ["a1 ", "(", "9", "seek ", "a1(1)-", "if ", "+", "a=b "])
def test_a_line_beyond_the_limit_is_talk(piece):
    line = piece * LINE_LENGTH * 10
    assert read_line(line) == Other(line.strip())
    assert not looks_like_move(line)
    assert split_move_number(line)[0] is None


@pytest.mark.parametrize("line", [
    "if e6/d8=B", "if e6/d8=B then", "if e6, I play d4", "2. if e6 then d4",
    "if b2 then " + "c3; if b2 then " * 200 + "c3",
])  # fmt: skip
def test_a_line_of_a_plan_that_is_not_whole_is_mistaken_and_never_talk(line):
    assert isinstance(parse_commands([line])[0], InvalidCommand)


@pytest.mark.parametrize("lines", [
    ["if b2 then", "c3; if d4 then e5"], ["if b2", "then c3; if d4 then e5"], ["if b2 then c3; if", "d4 then e5"],
])  # fmt: skip
def test_a_line_of_a_plan_that_a_mail_program_broke_is_one_line(lines):
    assert parse_commands(lines) == (PlanLine("if b2 then c3; if d4 then e5"),)


def test_the_lines_of_a_plan_stay_several():
    lines = ["if b2 then c3", "then if d4 then e5", "if b3 then c3"]
    assert parse_commands(lines) == tuple(PlanLine(line) for line in lines)
