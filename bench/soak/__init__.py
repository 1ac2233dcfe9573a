"""A soak: the real processes under load and under faults, and whether everything that was promised was kept.

`python -m bench.soak` (`__main__.py`) starts a database, the processes of the service (`services.py`, each through
`process.py`), and a mail server that they post to (`relay.py`). Members (`players.py`) answer what they get there, by
mail and on pages. Meanwhile processes are killed and the database, the disk and the mail server fail (`faults.py`). At
the end `reckoning.py` counts what became of every move and every letter.
"""
