# SPDX-License-Identifier: MIT
"""From what was typed to the module of a command."""
import os
import sys
from _signal import SIG_DFL, SIGINT, SIGPIPE, signal  # no enum: it starts soon

from command.errors import Failure, UsageError, say
from command.place import Place
from command.table import BY_NAME, COMMANDS

# Options whose value may be the next word, in any command.
WITH_VALUE = ('--gen', '--chaos', '--rules', '--size', '--out',
              '--screenshot')
# These run another program, whose words are its own.
RUNS_PROGRAM = ('run', 'shim', 'view')
# A wrong generation ends these before anything is installed or built.
ON_A_GENERATION = ('demo', 'run', 'shim', 'view', 'piglit', 'cts')


def join_values(command, words, place):
    """The words with "--gen skl" as "--gen=skl", and so on."""
    joined, left = [], list(words)
    while left and left[0] != '--':
        word = left[0]
        if not word.startswith('-') and command in RUNS_PROGRAM:
            break
        del left[0]
        if word in WITH_VALUE:
            if not left:
                raise UsageError(f"{command}: '{word}' wants a value")
            word = f'{word}={left.pop(0)}'
        if command in ON_A_GENERATION and word.startswith('--gen='):
            place.check_gen(word[len('--gen='):])
        joined.append(word)
    return joined + left


def dispatch(place, words):
    name = words[0] if words else 'help'
    if name in ('-h', '--help'):
        name = 'help'
    if name == '--version':
        with open(place.file('VERSION', 'VERSION'), encoding='utf-8') as f:
            sys.stdout.write(f.read())
        return 0
    if name == '--complete':
        from command import complete
        return complete.run(place, words[1:])
    row = BY_NAME.get(name)
    if not row:
        raise UsageError(f"unknown command '{name}'")
    words = join_values(name, words[1:], place)
    if place.installed and not row.installed:
        there = ', '.join(c.name for c in COMMANDS if c.installed)
        raise Failure(f"'{name}' wants a checkout of the sources; installed "
                      f'are {there}')
    module = getattr(__import__('command.' + row.module), row.module)
    place.command = row
    return module.run(place, words)


def main(itself, words):
    # As programs expect that are started from here.
    signal(SIGPIPE, SIG_DFL)
    place = Place(itself)
    try:
        code = dispatch(place, words)
        sys.stdout.flush()
        return code
    except Failure as failure:
        say(f'saffron: {failure}')
        if failure.code == 2:
            say(f"Try '{place.me} help'.")
        return failure.code
    except KeyboardInterrupt:
        return 128 + SIGINT
    except OSError as error:
        # Nothing more can be written there when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        where = error.filename or 'standard output'
        say(f'saffron: {where}: {error.strerror}')
        return 2 if not error.filename else 1
