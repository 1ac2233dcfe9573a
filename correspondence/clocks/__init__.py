"""Clocks: deadlines, calendars, absences and outages.

Input: time controls, calendars and moves. Output: deadlines, reminders and the time used.
"""
