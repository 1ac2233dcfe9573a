"""The fairness page as blocks, with an example that readers can compute themselves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from correspondence.core.i18n import in_language
from correspondence.rulebook.blocks import RulesBlock, read_blocks
from correspondence.rulebook.names import plain_words
from correspondence.rulebook.pages import templates

EXAMPLE: Mapping[str, str] = MappingProxyType(
    {
        "seed": bytes(range(32)).hex(),
        "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "words": "a walk in the rain",
        "words_hash": "da0789d478327857637bf7f5ce66df41b67b3d8d820fad31dd73e4faa5cd474b",
        "empty_hash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "bytes": "416d0a7729e42ff861ad618f44fa4d67fa81f96b176a7d7918a21b6e16979c54",
        "salt": "66ab70eafa60cc63d32df79a9e4b1fa8bf2453399d01ae877581af4f49eabc7b",
        "seal": "663a2b599669cd5d1cfd5387df3585d9ab31664236b8c2e3c47383fa17a4eb39",
        "first_head": "cd5ddc2dfe37dab470e9be58814004cf076c0d792d47549885f994e04f41bf4d",
        "next_head": "c3b48c2e031637bda4a7f904e8bd6276326e65c83c44476d4f26e707a6b20c9b",
    }
)
"""A seed and its computed results, which anyone can verify with docs/fairness.md."""

_NAMES = frozenset(map(plain_words, ("fairness", "fair", "fair dice", "equità", "onestà", "dadi onesti")))


def means_fairness(text: str) -> bool:
    """Whether a text names the topic of fairness, in any language of the service."""
    return plain_words(text) in _NAMES


@lru_cache(maxsize=8)
def fairness_blocks(language: str) -> tuple[RulesBlock, ...]:
    """Return the blocks of the fairness page in a language."""
    with in_language(language):
        return read_blocks(templates().get_template("_fairness.html").render(example=EXAMPLE))
