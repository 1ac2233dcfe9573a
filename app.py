"""The application: `flask run` serves its pages, `python app.py` everything in one process."""

from __future__ import annotations

import sys

from correspondence import create_app
from correspondence.config import SettingError

try:
    app = create_app()
except SettingError as error:
    sys.exit(str(error))

if __name__ == "__main__":
    from correspondence.serve import serve

    try:
        serve(app)
    except SettingError as error:
        sys.exit(str(error))
