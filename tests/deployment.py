"""What docs/deploy.md and deploy/ tell an operator to install and to type, read from them."""

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
"""The name that the guide and its files use."""

OPERATOR = "olga@example.org"
"""The operator's address when the lines of the guide are tried."""

KNOWN = {field.name.upper() for field in fields(Settings)}
"""Every setting there is."""


class _Repeated(dict):
    """The lines of a section, of which some names stand several times."""

    def __setitem__(self, name, text):
        if isinstance(text, list) and name in self:
            text = [*self[name], *text]
        super().__setitem__(name, text)


def unit(file):
    """The sections of a unit file: each name of a line maps to its text, of several to all of them."""
    parser = ConfigParser(
        dict_type=_Repeated, strict=False, interpolation=None, delimiters=["="], comment_prefixes=["#"]
    )
    parser.optionxform = str
    parser.read(file)
    return {name: dict(parser[name]) for name in parser.sections()}


def commands_of(file):
    """The command lines of a service, each as its words."""
    lines = unit(file)["Service"]["ExecStart"].splitlines()
    return [shlex.split(line.replace("%%", "%")) for line in lines]


def environment_of(file):
    """The settings that a unit itself makes."""
    lines = unit(file)["Service"].get("Environment", "").splitlines()
    return dict(line.partition("=")[::2] for line in lines if line)


def settings_in(text):
    """The settings of a file of lines NAME=value; those behind a # count too."""
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", text, re.M))


def lines_to_type():
    """Every line of the shell in the guide, joined where it goes on in the next."""
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.M | re.S)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def postfix_settings(domain, **ports):
    """What the guide gives to `postconf -e`, for another domain, and with other ports than it names."""
    given = [shlex.split(line)[2] for line in lines_to_type() if line.startswith("postconf -e")]
    texts = [text.replace("$DOMAIN", domain).replace("$OPERATOR", OPERATOR) for text in given]
    for port, other in ports.items():
        texts = [text.replace(port.lstrip("p"), str(other)) for text in texts]
    return texts
