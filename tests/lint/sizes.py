# SPDX-License-Identifier: MIT
"""sizes: functions, files and folders that one can take in.

A function has at most 80 lines (a switch whose cases have at most 8 lines
counts as one), a file 700 (tests and generated tables excepted), a folder 30
sources.
"""
import re

from tree import Find, is_test

FUNCTION, FILE, FOLDER, CASE = 80, 700, 30, 8
NAME = re.compile(r'^([A-Za-z_]\w*)\(')
LABEL = re.compile(r'^ *(?:case\b.*|default ?):')


def functions(lines):
    """(name, first line, text lines) of each, by the house style: the return
    type stands on a line of its own, the body between braces in column 1."""
    name = first = body = None
    for number, line in enumerate(lines):
        match = NAME.match(line)
        if match:
            name, first = match[1], number - 1
        if line == '{' and name:
            body = number
        elif line.startswith('}'):
            if body is not None and line == '}':
                yield name, first + 1, lines[first:number + 1]
            name = body = None


def flat_lines(lines):
    """How many lines belong to the cases of flat switches."""
    total = 0
    at = 0
    while at < len(lines):
        match = re.match(r'^( *)switch \(', lines[at])
        if not match:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and not re.match(match[1] + r'}', lines[end]):
            end += 1
        labels = [i for i in range(at, end)
                  if re.match(match[1] + r'(?:case\b|default ?:)', lines[i])]
        sizes = [b - a for a, b in zip(labels, labels[1:] + [end])]
        if sizes and max(sizes) <= CASE:
            total += end - at
        at = end if sizes and max(sizes) <= CASE else at + 1
    return total


def check(tree):
    folders = {}
    for path in tree.sources():
        folder = path.rsplit('/', 1)[0]
        if not is_test(path) and not path.startswith('tests/'):
            folders[folder] = folders.get(folder, 0) + 1
        lines = tree.lines(path)
        count = len(lines) - 1
        if (count > FILE and not is_test(path) and
                not path.startswith('tests/')):
            yield Find(path, 1, path, f'{count} lines (not above {FILE})')
        for name, first, body in functions(lines):
            size = len(body)
            if size > FUNCTION and size - flat_lines(body) > FUNCTION:
                yield Find(path, first, f'{path} {name}()',
                           f'{name}() has {size} lines (not above '
                           f'{FUNCTION})')
    for folder, count in folders.items():
        if count > FOLDER:
            yield Find(folder, 1, folder,
                       f'{count} sources (not above {FOLDER})')
