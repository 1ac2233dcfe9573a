"""Every setting can be seen and changed by mail, in English and Italian."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from correspondence.clocks import calendars
from correspondence.commands import ChangeSetting, CommandError, ShowSettings, read_line, setting_values
from correspondence.commands.setting_list import SETTINGS
from correspondence.commands.settings_line import settings_line
from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language, zones
from engines.refusal import Refusal
from tests.post import text_of
from tests.sizes import examples


@pytest.fixture
def ann(town):
    town.join("ann")
    return town


def answer_to(town, line):
    """What the answer to a line says, in one line."""
    town.received.clear()
    town.agree("ann", line)
    return " ".join(text_of(town.letter("ann")).split())


def now(town, *columns):
    with db.reading(town.engine) as session:
        return tuple(getattr(town.person(session, "ann"), column) for column in columns)


def test_every_setting_is_listed_with_the_line_that_changes_it(ann):
    answer = answer_to(ann, "settings")
    for setting in SETTINGS.values():
        assert f"· settings {setting.words.partition('|')[0]} " in answer


def test_an_italian_reads_italian_lines(ann):
    with db.transaction(ann.engine) as session:
        ann.person(session, "ann").language = "it"
    answer = answer_to(ann, "impostazioni")
    assert "settings " not in answer.replace("/settings", "")
    for line in ("lingua en", "tavoliere parole", "giorni liberi sab dom", "riepilogo ogni giorno 7:00"):
        assert f"· impostazioni {line} " in answer


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize("name", list(SETTINGS))
def test_the_line_that_is_shown_for_a_setting_changes_it(ann, name, language):
    with db.transaction(ann.engine) as session, in_language(language):
        person = ann.person(session, "ann")
        person.language = language
        one = SETTINGS[name]
        line = settings_line(name, one.example(person), language)
        command = read_line(line)
        assert isinstance(command, ChangeSetting) and command.name == name
        before = one.value(person)
        one.change(session, person, command.value, ann.time)
        assert one.value(person) != before


@pytest.mark.parametrize(
    ("line", "columns", "values"),
    [
        ("settings language it", ("language",), ("it",)),
        ("settings language Italiano", ("language",), ("it",)),
        ("impostazioni lingua italiano", ("language",), ("it",)),
        ("settings zone Rome", ("zone",), ("Europe/Rome",)),
        ("settings time zone: New York", ("zone",), ("America/New_York",)),
        ("imposta fuso Londra", ("zone",), ("Europe/London",)),
        ("settings kolkata", ("zone",), ("UTC",)),
        ("settings zone Kolkata", ("zone",), ("Asia/Kolkata",)),
        ("settings receipt on", ("receipts",), (True,)),
        ("impostazioni ricevuta sì", ("receipts",), (True,)),
        ("settings plain text = on", ("text_only",), (True,)),
        ("settings notify turn off", ("turn_letters",), (False,)),
        ("settings talk no", ("talk_letters",), (False,)),
        ("settings reminder off", ("reminders",), (False,)),
        ("settings reminder 24", ("reminders", "reminder_leads"), (True, "24")),
        ("settings reminders 3 days, 12 hours", ("reminders", "reminder_leads"), (True, "72 12")),
        ("settings reminders = 12 h and 3 d before the deadline", ("reminder_leads",), ("72 12",)),
        ("settings reminder 1 day 12 hours", ("reminder_leads",), ("36",)),
        ("settings reminder on", ("reminders", "reminder_leads"), (True, "")),
        ("settings end off", ("game_over_letters",), (False,)),
        ("settings challenges off", ("challenge_letters",), (False,)),
        ("settings delay 30 minutes", ("turn_delay",), (30,)),
        ("settings digest every day 8", ("digest", "digest_hour"), ("daily", 8)),
        ("imposta riepilogo ogni giorno alle 8", ("digest", "digest_hour"), ("daily", 8)),
        ("settings quiet 22-7", ("quiet_from", "quiet_until"), (22, 7)),
        ("settings wins on time off", ("refuses_time_wins",), (True,)),
        ("settings confirm on", ("confirm_moves",), (True,)),
        ("settings games at once 12", ("games_limit",), (12,)),
        ("impostazioni partite insieme 3 partite", ("games_limit",), (3,)),
        ("settings limit off", ("games_limit",), (None,)),
        ("settings next game on", ("steps_on",), (True,)),
        ("settings archive cc0", ("archive_licence",), ("cc0",)),
        ("settings robot pace at once", ("robot_pace",), ("at-once",)),
        ("settings pace of robots: later.", ("robot_pace",), ("later",)),
        ("settings robot pace usual", ("robot_pace",), ("usual",)),
        ("impostazioni ritmo dei robot più tardi", ("robot_pace",), ("later",)),
        ("impostazioni ritmo robot subito", ("robot_pace",), ("at-once",)),
        ("impostazioni archivio no", ("archive_licence",), ("no",)),
    ],
)
def test_a_setting_is_changed_by_its_word(ann, line, columns, values):
    answer_to(ann, line)
    assert now(ann, *columns) == values


@pytest.mark.parametrize(
    ("line", "hours"),
    [
        ("settings sleep 23-7", calendars.OffHours(sleep=(23, 7))),
        ("settings days off sat sun", calendars.OffHours(days_off=(5, 6))),
        ("settings days off Saturdays and Sundays", calendars.OffHours(days_off=(5, 6))),
        ("imposta giorni liberi sabato e domenica", calendars.OffHours(days_off=(5, 6))),
        ("settings holidays Italy", calendars.OffHours(region="IT")),
        ("settings holidays DE-BY", calendars.OffHours(region="DE-BY")),
        ("impostazioni feste Germania", calendars.OffHours(region="DE")),
    ],
)
def test_what_does_not_count_on_the_clock_is_changed_by_mail(ann, line, hours):
    answer_to(ann, line)
    assert calendars.read_off_hours(now(ann, "off_hours")[0]) == hours


def test_one_of_these_settings_leaves_the_others_as_they_are(ann):
    for line in ("settings sleep 23-7", "settings days off sun", "settings holidays Italy", "settings sleep off"):
        answer_to(ann, line)
    assert calendars.read_off_hours(now(ann, "off_hours")[0]) == calendars.OffHours(days_off=(6,), region="IT")


def test_a_change_of_language_is_answered_in_the_new_one(ann):
    assert "Cambiato: lingua – Italiano." in answer_to(ann, "settings language italian")


def test_a_setting_without_a_value_says_what_it_is(ann):
    answer = answer_to(ann, "settings zone")
    assert "time zone, by a city: UTC. To change it, write for example: settings zone Rome" in answer


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("settings robot pace tomorrow", "Robots can answer at once, later or as usual, not “tomorrow”."),
        ("settings zone Roem", "No city called “Roem” is known here; write a larger one near you, for example "
         "Europe/Rome. Do you mean Europe/Rome?"),
        ("settings zone UTC+2", "An offset changes with summer time. Please write a city in your time zone, for "
         "example: Athens or Cairo."),
        ("settings language klingon", "You can choose English or Italiano."),
        ("settings receipt perhaps", "This can be on or off, not “perhaps”."),
        ("settings days off someday", "“someday” is not a day of the week. Write for example: sat sun, or none."),
        ("settings days off mon tue wed thu fri sat sun", "At most"),
        ("settings quiet 25-7", "Write two whole hours from 0 to 23, for example 22-7, or off."),
        ("settings sleep 8-7", "A night can be 1 to"),
        ("settings delay 7", "A letter can wait 0, 5, 30 or 120 minutes."),
        ("settings holidays Narnia", "The holidays of “NARNIA” are not known here."),
        ("settings reminder 9999", "You can be reminded at most a week before the deadline."),
        ("settings reminders soon", "Write how long before the deadline, in days or whole hours: 3 days, 12 hours. Or off."),
        ("settings reminders 5, 4, 3, 2, 1", "You can be reminded at most 4 times in a turn."),
        ("settings lnguage it", "There is no setting “lnguage”. Do you mean language?"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_in_a_sentence_and_changes_nothing(ann, line, sentence):
    columns = ("language", "zone", "receipts", "off_hours", "quiet_from", "turn_delay", "reminder_leads", "reminders")
    before = now(ann, *columns)
    assert sentence in answer_to(ann, line)
    assert now(ann, *columns) == before


@pytest.mark.parametrize("line", ["settings are fine now", "settings, sorry", "setting up the board took a while"])
def test_a_sentence_that_begins_with_the_word_is_no_command(line):
    assert not isinstance(read_line(line), ChangeSetting | ShowSettings)


def test_without_a_token_a_change_is_proposed_and_a_question_answered(ann):
    ann.received.clear()
    ann.mail("ann@example.org", "play@games.example", "settings receipt on")
    assert now(ann, "receipts") == (False,)
    ann.answer(ann.letter("ann"), "yes")
    assert now(ann, "receipts") == (True,)
    ann.received.clear()
    ann.mail("ann@example.org", "play@games.example", "settings receipt")
    assert "a receipt for moves that I mail: on" in " ".join(text_of(ann.letter("ann")).split())


@pytest.mark.parametrize("name", zones())
def test_every_zone_is_found_by_its_own_name(name):
    assert setting_values.zone(name) == name


@settings(deadline=None, max_examples=examples(400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(list(SETTINGS)), text=st.text(max_size=60))
def test_any_text_is_a_value_or_refused_in_a_sentence(ann, name, text):
    with db.transaction(ann.engine) as session:
        person = ann.person(session, "ann")
        before = SETTINGS[name].value(person)
        try:
            SETTINGS[name].change(session, person, text, ann.time)
        except Refusal as error:
            assert str(error).endswith((".", "?")) and SETTINGS[name].value(person) == before


@given(st.text(max_size=80))
def test_reading_a_line_of_settings_never_fails(text):
    try:
        read_line(f"settings {text}")
    except CommandError as error:
        assert str(error)


# -- strangers -----------------------------------------------------------------------


@pytest.mark.parametrize(("words", "is_italian"), [
    ("aiuto", True), ("Regole duel", True), ("Ciao, come si gioca?", True), ("help", False), ("hello", False),
])  # fmt: skip
def test_the_first_word_of_a_stranger_chooses_the_language_of_the_answer(town, words, is_italian):
    town.mail("carla@example.org", "play@games.example", words)
    [letter] = town.letters("carla")
    assert ("scrivi la tua risposta" in text_of(letter), "write your answer" in text_of(letter)) == (
        is_italian,
        not is_italian,
    )


def test_who_asks_to_join_in_italian_is_italian_from_the_first_letter_on(town):
    town.mail("carla@example.org", "play@games.example", "iscrivimi carla")
    question = town.letter("carla")
    assert "scrivi la tua risposta" in text_of(question)
    town.answer(question, "boh")
    assert "scrivi la tua risposta" in text_of(town.letter("carla"))
    town.answer(question, "sì")
    assert town.people() == ["carla"] and "scrivi la tua risposta" in text_of(town.letter("carla"))
    with db.reading(town.engine) as session:
        assert town.person(session, "carla").language == "it"
