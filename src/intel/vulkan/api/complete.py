# SPDX-License-Identifier: MIT
"""Checks that the driver has each command that it must have.

usage: complete.py --xml vk.xml --nm NM --library FILE --stamp FILE --gen G...

What no file defines has address 0 and is never handed out (entrypoints.py),
so the linker does not miss it. Here each command of the core versions and of
the extensions in extensions.py must be a function of the library: saf_NAME,
or genN_NAME for each generation. Writes STAMP if so; else the exit code is 1.
"""
import argparse
import subprocess
import sys

import entrypoints
import registry


def defined(nm, library):
    """The names of the functions in a library that is not stripped."""
    out = subprocess.run([nm, library], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    rows = (line.split() for line in out.splitlines())
    return {row[2] for row in rows if len(row) == 3 and row[1] in 'tT'}


def missing(commands, functions, generations):
    """Those of the commands that no function serves, by name."""
    return [c.name for c in commands
            if 'saf_' + c.target not in functions and
            not all(f'{g}_{c.target}' in functions for g in generations)]


def main():
    parser = argparse.ArgumentParser()
    for name in ('xml', 'nm', 'library', 'stamp'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--gen', dest='gens', action='append', required=True,
                        help='a generation: prefix of its functions')
    args = parser.parse_args()

    commands = entrypoints.wanted_commands(
        registry.read(args.xml))
    functions = defined(args.nm, args.library)
    names = missing(commands, functions, args.gens)
    for name in names:
        print(f'complete.py: {name} is advertised, and nowhere defined')
    if not names:
        with open(args.stamp, 'w', encoding='utf-8') as f:
            f.write(f'{len(commands)} commands\n')
    return 1 if names or not commands else 0


if __name__ == '__main__':
    sys.exit(main())
