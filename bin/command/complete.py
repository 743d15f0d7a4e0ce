# SPDX-License-Identifier: MIT
"""What a shell may complete: saffron --complete WORD..., the words behind
'saffron' up to where the cursor is, the last as far as it is typed. Prints
candidates, one a line; nothing where files are as good. The scripts of the
shells are in bin/completion.

Candidates follow from the table of commands, the help of a command, and the
table of devices, when they are asked for.
"""
import subprocess

from command import entry, helptext
from command.table import BY_NAME, COMMANDS
from command.tool import MALI


def words_of_programs(words):
    """Whether what is completed is already that of another program."""
    return '--' in words or any(not w.startswith('-') for w in words)


def generations(place, command):
    for gen, sizes in place.generations().items():
        yield gen
        yield from sizes
    if command in MALI:
        yield 'mali400'


def help_of(place, command, words):
    """Of the command as it is typed: --gen=mali400 makes it another."""
    mali = [w for w in words if w == '--gen=mali400']
    done = subprocess.run([place.itself, command, *mali, '--help'], text=True,
                          stdout=subprocess.PIPE, check=False,
                          stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.stdout if not done.returncode else ''


def candidates(place, words):
    *before, last = words or ['']
    if not before:
        names = [c.name for c in COMMANDS if c.installed or
                 not place.installed]
        return names + ['--help', '--version']
    command, *before = before
    if command not in BY_NAME or command == 'help':
        return []
    if command in entry.RUNS_PROGRAM and words_of_programs(
            [w for i, w in enumerate(before)
             if i == 0 or before[i - 1] not in entry.WITH_VALUE]):
        return []
    if before and before[-1] in ('--gen', '-g'):
        return list(generations(place, command))
    option, equals, _ = last.partition('=')
    if option == '--gen' and equals:
        return [f'--gen={g}' for g in generations(place, command)]
    if not last.startswith('-'):
        return ['build', 'run', 'test'] * (command == 'packages')
    text = help_of(place, command, before)
    if equals:
        return [f'{option}={v}' for v in helptext.values(text, option)]
    found = helptext.options(text)
    return found + ['--'] * (command in entry.RUNS_PROGRAM)


def run(place, words):
    for word in candidates(place, words):
        if word.startswith(words[-1] if words else ''):
            print(word)
    return 0
