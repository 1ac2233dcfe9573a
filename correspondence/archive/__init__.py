"""Finished games: record files, search, openings, import and export.

Input: finished games or record files. Output: records, lists and statistics.
"""
