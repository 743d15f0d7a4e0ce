#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the page of all commands: what each says to --help.

usage: commands.py BIN_SAFFRON OUT COMMAND=TOOL...

A command that is a tool in C is given with that tool; one that is two tools,
by generation, twice.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), 'bin'))
# pylint: disable=wrong-import-position
from command import manual  # noqa: E402
from command.table import BY_NAME  # noqa: E402

HEAD = """========
Commands
========

What each command of ``bin/saffron`` says to ``--help``. Installed ones have a page of
the manual that says the same (``man saffron-compile``).
"""


def block(text):
    return '::\n\n' + ''.join(f'   {line}\n' if line.strip() else '\n'
                              for line in text.rstrip().splitlines()) + '\n'


def main():
    saffron, out, *pairs = sys.argv[1:]
    tools = {}
    for pair in pairs:
        name, tool = pair.split('=', 1)
        tools.setdefault(name, []).append(tool)
    text = HEAD
    for name in manual.pages()[1:]:
        title = f'saffron {name}'
        text += f'\n{title}\n{"=" * len(title)}\n\n{BY_NAME[name].summary}\n\n'
        text += ''.join(block(h) for h in manual.helps(saffron, name,
                                                       tools.get(name, [])))
    with open(out, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main()
