"""Tests that run in a separate process, where the example package is installed."""
