"""Members towards each other and towards us: the directory, letters, blocking, reports, erasure, data export.

In come requests of members; out go lists, letters, files, and rows that are changed or erased.
"""
