# SPDX-License-Identifier: MIT
"""How a command ends early."""
import sys


class Failure(Exception):
    """Ends the command with a sentence and exit code 1."""
    code = 1


class UsageError(Failure):
    """What was typed makes no sense; exit code 2."""
    code = 2


def say(text):
    print(text, file=sys.stderr, flush=True)
