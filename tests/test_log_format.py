"""A line of the log has its time, its level and the number of what it is about; on request it is JSON."""

from __future__ import annotations

import io
import json
import logging
import re

import pytest

from correspondence.core.config import SettingError, Settings
from correspondence.core.log_format import FORMATS, log_from_now_on_about, logging_about, set_up_logging
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.outbound import outbox
from tests.outgoing import ScriptedPost
from tests.world import World


@pytest.fixture(params=["text", "json"])
def written(request):
    """Lines as a process writes them: what was logged, and its fields where they are objects."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATS[request.param]())
    logging.root.addHandler(handler)

    def lines():
        text = stream.getvalue()
        return [json.loads(line) for line in text.splitlines()] if request.param == "json" else text

    yield lines
    logging.root.removeHandler(handler)


def test_a_line_says_when_how_grave_where_and_about_what(written):
    log_from_now_on_about("")
    with logging_about("message 12"):
        logging.getLogger("correspondence.test").warning("it failed %s times", 3)
    logging.getLogger("correspondence.test").warning("and this is about nothing")
    lines = written()
    if isinstance(lines, str):
        moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
        first, second = lines.splitlines()
        assert re.fullmatch(moment + r" WARNING correspondence\.test \[message 12\] it failed 3 times", first)
        assert re.fullmatch(moment + r" WARNING correspondence\.test and this is about nothing", second)
    else:
        assert {key: text for key, text in lines[0].items() if key != "time"} == {
            "level": "WARNING", "logger": "correspondence.test", "about": "message 12", "message": "it failed 3 times",
        }  # fmt: skip
        assert "about" not in lines[1]


def test_a_message_that_fails_and_a_page_that_fails_are_found_by_their_numbers(tmp_path, written, monkeypatch):
    world = World(tmp_path)
    world.join("ann")

    words_of_a_player = "".join(("it", "broke"))

    def fail(*_words, **_more):
        raise RuntimeError(words_of_a_player)

    monkeypatch.setattr("correspondence.inbound.mailbox.process_message", fail)
    world.put(b"From: ann@example.org\r\n\r\nhelp\r\n", "play@localhost")
    world.sweep()
    monkeypatch.setattr("correspondence.web.home.render_template", fail)
    world.app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    assert world.client().get("/").status_code == 500
    world.close()
    text = json.dumps(written()) if not isinstance(written(), str) else written()
    assert "message 1" in text and re.search(r"request [0-9a-f]{6}", text)
    assert "itbroke" not in text and "ann@" not in text


def test_letters_are_named_by_their_numbers(tmp_path, written, monkeypatch):
    world = World(tmp_path)
    world.join("ann", "bob")
    monkeypatch.setattr(outbox.compose, "compose", lambda *_words: 1 / 0)
    sweep_outbox(world.runtime, ScriptedPost())
    world.close()
    assert "letter 1" in json.dumps(written())


def test_another_format_is_refused_in_a_sentence():
    with pytest.raises(SettingError, match="LOG_FORMAT must be text or json, not “xml”"):
        set_up_logging(Settings(log_format="xml"))
