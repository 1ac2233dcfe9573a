"""Parsers for docs/deploy.md and deploy/: the files to install and the commands to type."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from dataclasses import fields
from pathlib import Path

from correspondence.core.config import Settings

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
GUIDE = ROOT / "docs" / "deploy.md"
SERVICES = sorted((DEPLOY / "systemd").glob("*.service"))
DOMAIN = "games.example.org"
"""The domain that the guide and its files use."""

OPERATOR = "olga@example.org"
"""The operator's address when the commands of the guide are tried."""

KNOWN = {field.name.upper() for field in fields(Settings)}
"""Names of all settings."""


class _Repeated(dict):
    """The lines of a section, in which a name may occur several times."""

    def __setitem__(self, name, text):
        if isinstance(text, list) and name in self:
            text = [*self[name], *text]
        super().__setitem__(name, text)


def unit(file):
    """Parse a unit file into sections; each name maps to its value, or to all values if repeated."""
    parser = ConfigParser(
        dict_type=_Repeated, strict=False, interpolation=None, delimiters=["="], comment_prefixes=["#"]
    )
    parser.optionxform = str
    parser.read(file)
    return {name: dict(parser[name]) for name in parser.sections()}


def commands_of(file):
    """Return the command lines of a service, each split into words."""
    lines = unit(file)["Service"]["ExecStart"].splitlines()
    return [shlex.split(line.replace("%%", "%")) for line in lines]


def environment_of(file):
    """Return the environment settings of a unit."""
    lines = unit(file)["Service"].get("Environment", "").splitlines()
    return dict(line.partition("=")[::2] for line in lines if line)


def settings_in(text):
    """Return the settings in a file of NAME=value lines, including commented ones."""
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", text, re.M))


def lines_to_type():
    """Return every shell command of the guide, with continued lines joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.M | re.S)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def postfix_settings(domain, **ports):
    """Return the guide's `postconf -e` settings, with another domain and other ports."""
    given = [shlex.split(line)[2] for line in lines_to_type() if line.startswith("postconf -e")]
    texts = [text.replace("$DOMAIN", domain).replace("$OPERATOR", OPERATOR) for text in given]
    for port, other in ports.items():
        texts = [text.replace(port.lstrip("p"), str(other)) for text in texts]
    return texts
