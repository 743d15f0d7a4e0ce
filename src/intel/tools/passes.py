#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What each pass of the compiler changed: `saffron compile --passes`.

   passes.py SAFFRON-COMPILE [--passes[=PASS]] [OPTIONS] FILE

Compiles FILE with its programs printed after each pass, NIR's and the back
end's, and prints the passes that changed the program, each with its changed
lines (a unified diff; lines that only got another number count as equal).
With a name, that pass alone. A table of all of them is at the end: lines
added and removed, in the order in which they ran.

Exit codes are those of saffron-compile; 2 also for a pass that changed
nothing or does not exist.
"""
import difflib
import re
import subprocess
import sys

HEADING = re.compile(r'^-- after (\S+) \((NIR|SIMD\d+)\)$')
FIRST = 'NIR after the front end:'
# What follows the last program: listings, statistics.
END = re.compile(r'^(Native code for |NIR \(|NIR after|SIMD\d+: |-- after )')
POSITION = re.compile(r'^ *\d+: ')
CONTEXT = 2


def programs(text):
    """(pass, language, lines) of each program that was printed."""
    found = []
    lines = None
    for line in text.split('\n'):
        heading = HEADING.match(line)
        if line == FIRST:
            lines = []
            found.append(('front end', 'NIR', lines))
        elif heading:
            lines = []
            found.append((heading[1], heading[2], lines))
        elif END.match(line):
            lines = None
        elif lines is not None:
            lines.append(POSITION.sub('', line))
    return found


def changes(found):
    """(pass, language, diff) of each pass after the first of its language."""
    before = {}
    for name, language, lines in found:
        # Another attempt at the same width begins anew.
        old = None if name == 'emission' else before.get(language)
        before[language] = lines
        if old is not None and old != lines:
            yield name, language, list(
                difflib.unified_diff(old, lines, n=CONTEXT, lineterm=''))[2:]


def count(diff, sign):
    return sum(line.startswith(sign) for line in diff)


def main():
    tool, *args = sys.argv[1:]
    wanted = None
    for arg in list(args):
        name, _, value = arg.partition('=')
        if name == '--passes':
            wanted = value or None
            args.remove(arg)
    result = subprocess.run([tool, '--debug=optimizer', *args], text=True,
                            stdout=subprocess.PIPE, errors='replace',
                            check=False)
    if result.returncode:
        return result.returncode
    table = []
    for name, language, diff in changes(programs(result.stdout)):
        if wanted and name != wanted:
            continue
        table.append((name, language, count(diff, '+'), count(diff, '-')))
        print(f'-- {name} ({language})')
        print('\n'.join(diff))
        print()
    if wanted and not table:
        print(f'saffron compile: {wanted} changed nothing', file=sys.stderr)
        return 2
    print(f'{"pass":36} {"language":8} {"added":>7} {"removed":>7}')
    for name, language, added, removed in table:
        print(f'{name:36} {language:8} {added:7} {removed:7}')
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.exit(0)
