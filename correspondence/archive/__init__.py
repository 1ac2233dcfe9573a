"""Finished games: record files, search, openings, import and export.

In come finished games or record files; out go records, lists and statistics.
"""
