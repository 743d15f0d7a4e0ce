# SPDX-License-Identifier: MIT
"""The command line of the project: one module a command, rows in table.py.

What a tool in C needs to start imports nothing slow: argparse, subprocess
and the like are imported where they are used.
"""
