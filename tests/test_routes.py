"""Every page and call is registered, at an address of its own."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pkgutil import iter_modules

from flask import Blueprint

from correspondence import web
from correspondence.web import dev_mailbox


def test_every_module_with_a_blueprint_is_registered():
    modules = [import_module(f"{web.__name__}.{found.name}") for found in iter_modules(web.__path__)]
    with_pages = {module for module in modules if isinstance(getattr(module, "bp", None), Blueprint)}
    assert with_pages == {*web.PAGES, dev_mailbox}


def test_no_address_has_two_views(world):
    rules = list(world.app.url_map.iter_rules())
    methods = Counter((rule.rule, method) for rule in rules for method in rule.methods - {"OPTIONS"})
    assert [address for address, count in methods.items() if count > 1] == []
