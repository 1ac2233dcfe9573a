"""Community features: directory of members, letters between members, blocking, reports, erasure, data export.

Input: requests of members. Output: lists, letters, files, and changed or erased rows.
"""
