# SPDX-License-Identifier: MIT
"""Tables of measured figures: as RST, and written into a page of docs/.

A page has two comments around such a table, '.. COMMAND begins' and
'.. COMMAND ends', where COMMAND --write is what writes it: where the figures
are from in one line, and the table.
"""
import datetime
import json
import os
import re
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def is_number(cell):
    return re.fullmatch(r'-?[\d ,.]+', cell) is not None


def rst(head, rows):
    """A simple table; columns of numbers are aligned on the right."""
    rows = [[str(c) for c in row] for row in rows]
    widths = [max(len(line[i]) for line in [head, *rows])
              for i in range(len(head))]
    right = [all(is_number(row[i]) for row in rows if row[i])
             for i in range(len(head))]
    rule = '  '.join('=' * w for w in widths)
    text = ['  '.join(c.rjust(w) if r else c.ljust(w)
                      for c, w, r in zip(line, widths, right)).rstrip()
            for line in [head, *rows]]
    return '\n'.join([rule, text[0], rule, *text[1:], rule])


def today():
    """Day and commit, with a + if anything but docs/ is changed."""
    git = ['git', '-C', str(ROOT)]
    commit = subprocess.run([*git, 'rev-parse', '--short', 'HEAD'],
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    if subprocess.run([*git, 'diff', '--quiet', 'HEAD', '--', '.',
                       ':!docs']).returncode:
        commit += '+'
    day = datetime.date.today()
    return f'{day.day} {day:%B %Y}, commit {commit}'


def origin(build):
    """The same of what is measured now, with kind of build and machine."""
    with open(os.path.join(build, 'meson-info', 'intro-buildoptions.json'),
              encoding='utf-8') as f:
        kind = next(o['value'] for o in json.load(f)
                    if o['name'] == 'buildtype')
    with open('/proc/cpuinfo', encoding='utf-8') as f:
        model = re.search(r'model name\s*: (.*)', f.read())
    return (f'{today()}, {kind} build, '
            f'{model[1] if model else "unknown CPU"}, {os.cpu_count()} CPUs')


def write(page, command, where_from, table):
    """Puts a table into docs/PAGE, where its marks are; ValueError if they
    are not there."""
    path = ROOT / 'docs' / page
    marks = [f'.. {command} {what}\n' for what in ('begins', 'ends')]
    text = path.read_text(encoding='utf-8')
    if any(text.count(mark) != 1 for mark in marks):
        raise ValueError(f'docs/{page} has no table of {command}')
    before, rest = text.split(marks[0])
    after = rest.split(marks[1])[1]
    line = textwrap.fill(f'``{command}``, {where_from}:', 95,
                         break_on_hyphens=False)
    path.write_text(f'{before}{marks[0]}\n{line}\n\n{table}\n\n{marks[1]}'
                    f'{after}', encoding='utf-8')
