"""Community features: directory of members, letters between members, blocking, reports, erasure, data export.

In come requests of members; out go lists, letters, files, and changed or erased rows.
"""
