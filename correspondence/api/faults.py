"""Faults in the input of a call, as sentences for the program's author."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from engines.refusal import Refusal
from engines.wording import N_, _

_MUST_BE = {
    "string_type": N_("“{field}” must be text."),
    "int_type": N_("“{field}” must be a whole number."),
    "int_parsing": N_("“{field}” must be a whole number."),
    "int_from_float": N_("“{field}” must be a whole number."),
    "int_parsing_size": N_("“{field}” must be a whole number."),
    "bool_type": N_("“{field}” must be true or false."),
    "bool_parsing": N_("“{field}” must be true or false."),
    "list_type": N_("“{field}” must be a list."),
    "dict_type": N_("“{field}” must be an object."),
    "model_type": N_("“{field}” must be an object."),
    "model_attributes_type": N_("“{field}” must be an object."),
    "string_too_long": N_("“{field}” is too long: at most {max_length} characters are allowed."),
    "string_too_short": N_("“{field}” must not be empty."),
    "too_long": N_("“{field}” is too long: at most {max_length} are allowed."),
    "too_short": N_("“{field}” must not be empty."),
    "greater_than_equal": N_("“{field}” must be at least {ge}."),
    "less_than_equal": N_("“{field}” must be at most {le}."),
    "enum": N_("“{field}” must be one of these: {expected}."),
    "literal_error": N_("“{field}” must be one of these: {expected}."),
    "missing": N_("“{field}” is missing."),
}
"""Sentences by pydantic's error types, with placeholders for pydantic's context values."""

_UNUSABLE = N_("“{field}” is not valid.")


class InputFault(Refusal):
    """Raised for invalid input; `code` is 400 if it is not JSON, 422 if a value is invalid."""

    def __init__(self, code: int, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code, self.field = code, field


def fault_of(error: ValidationError, model: type[BaseModel]) -> InputFault:
    """The first fault that validation by `model` found."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return InputFault(400, _("This is not valid JSON."))
    field = ".".join(str(part)[:60] for part in first["loc"])
    if not field:
        return InputFault(422, _("The request must be a JSON object."))
    if first["type"] == "extra_forbidden":
        known = ", ".join(one.alias or name for name, one in model.model_fields.items())
        sentence = _("“{field}” is not known here. Known fields: {known}.")
        return InputFault(422, sentence.format(field=field, known=known), field)
    limits: dict[str, Any] = first.get("ctx", {})
    sentence = _(_MUST_BE.get(first["type"], _UNUSABLE))
    return InputFault(422, sentence.format(field=field, **limits), field)
