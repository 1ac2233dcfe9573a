"""Pages as a browser parses them: elements, attributes, forms with their fields, and links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

WRITTEN = {"text", "email", "search", "url", "tel", ""}


@dataclass
class Form:
    """A form of a page: `fields` with their values, and `texts`, the names of text fields."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)


class Page(HTMLParser):
    """A parsed page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.forms, self.links, self.words = [], [], [], []
        self._form, self._area, self._select = None, None, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, given):
        attributes = {name: value or "" for name, value in given}
        self.elements.append((tag, attributes))
        name = attributes.get("name", "")
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            self.forms.append(self._form)
        elif tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif self._form is not None and name:
            self._field(tag, name, attributes)
        elif tag == "option" and self._select and ("selected" in attributes or not self._form.fields[self._select]):
            self._form.fields[self._select] = attributes.get("value", "")

    def _field(self, tag, name, attributes):
        kind = attributes.get("type", "") if tag == "input" else tag
        if kind in WRITTEN or tag == "textarea":
            self._form.texts.add(name)
        if tag == "select":
            self._select = name
        if kind not in ("checkbox", "radio", "submit", "button") or "checked" in attributes:
            self._form.fields.setdefault(name, attributes.get("value", ""))
        if tag == "textarea":
            self._area = name

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        if tag == "textarea":
            self._area = None
        if tag == "select":
            self._select = None

    def handle_data(self, data):
        self.words.append(data)
        if self._area and self._form is not None:
            self._form.fields[self._area] += data
