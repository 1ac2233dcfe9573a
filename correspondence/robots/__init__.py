"""Robots at play: their turns are found and leased, thought about in processes of their own, and played.

Input: rows of games in which a robot is to move, and offers made to robots. Output: moves, answers and a line now and
then, all by the use cases that people's acts go through. A search sees what the robot's seat sees and nothing else.
"""

from __future__ import annotations

from correspondence.robots.thinking import RobotPool

__all__ = ["RobotPool"]
