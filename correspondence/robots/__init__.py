"""Robots at play: turns are leased, searched in separate processes, and played.

Input: rows of games in which a robot is to move, and offers made to robots. Output: moves, answers and a line now and
then, all through the use cases that people use. A search sees only what the robot's seat sees.
"""

from __future__ import annotations

from correspondence.robots.thinking import RobotPool

__all__ = ["RobotPool"]
