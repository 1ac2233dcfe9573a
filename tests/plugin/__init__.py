"""Tests that run in a process of their own, where the example package is installed."""
