"""Behind proxies: whose limit a visitor spends, what may be believed, and where letters are shown."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core.config import SettingError, Settings, read_settings, with_defaults
from correspondence.ops.doctor import examine
from correspondence.web.throttle import SIGN_IN, site_of
from tests.world import World

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def behind(tmp_path):
    """Makes worlds that stand behind so many proxies."""
    worlds = []

    def make(count):
        worlds.append(World(tmp_path / str(count), trusted_proxies=count))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()


def knocks(world, *forwarded, peer="127.0.0.1"):
    """How many of these visits in turn, each with its X-Forwarded-For, are let in."""
    return sum(
        world.client().post(
            "/sign-in", data={"who": "nobody"}, environ_base={"REMOTE_ADDR": peer},
            headers={"X-Forwarded-For": one} if one else {},
        ).status_code == 200
        for one in forwarded
    )  # fmt: skip


TRIES = SIGN_IN.burst + 3


def test_without_trusted_proxies_a_forged_header_evades_no_limit(behind):
    assert knocks(behind(0), *(f"192.0.2.{n}" for n in range(TRIES)), peer="198.51.100.7") == SIGN_IN.burst


def test_behind_one_proxy_each_visitor_has_a_limit_of_their_own(behind):
    world = behind(1)
    assert knocks(world, *(f"192.0.2.{n}" for n in range(TRIES))) == TRIES
    assert knocks(world, *["198.51.100.7"] * TRIES) == SIGN_IN.burst


@pytest.mark.parametrize("count", [1, 2])
def test_what_a_visitor_writes_before_the_trusted_proxies_evades_no_limit(behind, count):
    rest = ["198.51.100.7", "10.0.0.1"][:count]  # what the proxies add: who asked the first, then who asked the second
    forged = (", ".join([f"192.0.2.{n}", f"203.0.113.{n}", *rest]) for n in range(TRIES))
    assert knocks(behind(count), *forged) == SIGN_IN.burst


def test_fewer_addresses_than_proxies_are_not_believed(behind):
    assert knocks(behind(2), *(f"192.0.2.{n}" for n in range(TRIES))) == SIGN_IN.burst


def test_a_port_or_nonsense_for_an_address_evades_no_limit(behind):
    world = behind(1)
    assert knocks(world, *(f"198.51.100.7:{4000 + n}" for n in range(TRIES))) == SIGN_IN.burst
    assert knocks(world, *(f"_hidden{n}" for n in range(TRIES))) == SIGN_IN.burst


def test_all_addresses_of_one_ipv6_network_share_a_limit_and_another_network_has_its_own(behind):
    world = behind(1)
    assert knocks(world, *(f"2001:db8:1:2::{n:x}" for n in range(TRIES))) == SIGN_IN.burst
    assert knocks(world, "2001:db8:1:3::1", "::ffff:192.0.2.1") == 2


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**64 - 1))
def test_a_network_of_64_bits_is_one_visitor(address, other):
    import ipaddress

    one = ipaddress.IPv6Address(address)
    neighbour = ipaddress.IPv6Address(address >> 64 << 64 | other)
    if one.ipv4_mapped is None and neighbour.ipv4_mapped is None:
        assert site_of(str(one)) == site_of(str(neighbour)) == site_of(f"[{neighbour}]:443")


@given(st.text(max_size=60))
def test_any_text_for_an_address_is_read(text):
    assert site_of(text)


def test_members_have_a_limit_of_their_own_wherever_they_are(behind):
    world = behind(0)
    world.join("ann"), world.join("bob")
    ann, bob = world.client("ann"), world.client("bob")

    def codes(client, peers):
        return [client.get("/t/short", environ_base={"REMOTE_ADDR": peer}).status_code for peer in peers]

    assert codes(ann, [f"192.0.2.{n}" for n in range(TRIES)]).count(429) == 3
    assert codes(bob, ["192.0.2.1"]) == codes(world.client(), ["192.0.2.1"]) == [404]


def test_an_unknown_proxy_is_told_to_the_operator_once(behind, caplog):
    assert knocks(behind(0), "192.0.2.1", "192.0.2.2", "") == 3
    assert caplog.text.count("TRUSTED_PROXIES is 0") == 1 and "192.0.2" not in caplog.text


@pytest.mark.parametrize("count", ["-1", "two", "1.5", "", "11", "99999999999999999999", "١"])
def test_a_number_of_proxies_that_cannot_be_is_a_sentence_and_exit_2(tmp_path, count):
    environ = {"INSTANCE_DIR": str(tmp_path), "TRUSTED_PROXIES": count}
    with pytest.raises(SettingError, match="TRUSTED_PROXIES must be a whole number from 0 to 10"):
        read_settings(environ)


@pytest.mark.parametrize("command", [["app.py"], ["-m", "flask", "--app", "app.py", "doctor"]], ids=["app.py", "flask"])
def test_a_wrong_setting_ends_with_2_and_one_sentence(tmp_path, command):
    env = {"INSTANCE_DIR": str(tmp_path), "TRUSTED_PROXIES": "two", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.strip() == "TRUSTED_PROXIES must be a whole number from 0 to 10, not “two”."


def findings(world, **changes):
    changed = replace(world.runtime, settings=replace(world.runtime.settings, **changes))
    return [finding.sentence for finding in examine(changed) if not finding.is_ok]


def test_the_doctor_names_a_proxy_that_is_not_counted_and_one_that_can_be_passed_by(world):
    public = {"base_url": "https://games.example", "mail_listen": "", "http_listen": "127.0.0.1:1"}
    assert any("TRUSTED_PROXIES is 0" in sentence for sentence in findings(world, **public))
    assert not any("TRUSTED_PROXIES" in sentence for sentence in findings(world, **public, trusted_proxies=1))
    public["http_listen"] = "0.0.0.0:1"
    assert any("can forge their addresses" in sentence for sentence in findings(world, **public, trusted_proxies=1))
    local = findings(world, mail_listen="", http_listen="127.0.0.1:1")
    assert not any("TRUSTED_PROXIES" in sentence or "forge" in sentence for sentence in local)


HERE = {"base_url": "http://127.0.0.1:5000", "http_listen": "127.0.0.1:5000"}
ELSEWHERE = {
    "a public site": {"base_url": "https://games.example"},
    "a name that only begins like ours": {"base_url": "http://127.0.0.1.evil.example"},
    "another name of ours with a user": {"base_url": "http://localhost@games.example"},
    "all interfaces": {"http_listen": "0.0.0.0:5000"},
    "all interfaces by IPv6": {"http_listen": "[::]:5000"},
    "one interface": {"http_listen": "192.0.2.1:5000"},
    "no interface named": {"http_listen": ":5000"},
    "a real mail server": {"mail_send": "smtp://127.0.0.1:1"},
    "a proxy in front": {"trusted_proxies": 1},
}


@pytest.mark.parametrize("given", ELSEWHERE.values(), ids=ELSEWHERE)
def test_letters_have_no_pages_where_others_could_reach_them(tmp_path, given):
    world = World(tmp_path, **{**HERE, **given})
    assert [rule.rule for rule in world.app.url_map.iter_rules() if rule.rule.startswith("/mail")] == []
    client = world.client()
    for path in ("/mail", "/mail/x", "/mail/x/sheet"):  # as a proxy on this machine passes them on, naming us
        answer, other = (client.get(one, headers={"Host": "127.0.0.1"}) for one in (path, "/nothing"))
        words = path.strip("/").replace("/", " ")  # the page only repeats what was asked for
        text = answer.text.replace(path, "/nothing").replace(f'value="{words}"', 'value="nothing"')
        assert (answer.status_code, text) == (404, other.text)
    assert 'href="/mail"' not in client.post("/sign-in", data={"who": "ann"}).text
    world.close()


@pytest.mark.parametrize("given", [HERE, {"base_url": "http://localhost:5000", "http_listen": "localhost:5000"},
                                   {"base_url": "http://[::1]:5000", "http_listen": "[::1]:5000"}])  # fmt: skip
def test_letters_have_pages_on_a_machine_that_serves_itself(tmp_path, given):
    assert with_defaults(Settings(instance_dir=str(tmp_path), **given)).shows_letters
