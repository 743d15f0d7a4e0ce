# SPDX-License-Identifier: MIT
"""saffron compile --passes[=PASS]: what each pass of the compiler changed;
--bisect-pass: what the one changed that is wrong.

The compiler prints the program after each pass, NIR's and the back end's;
here the lines of each are compared with those before it. Lines of the back
end's that only moved count as equal: their numbers are left out.
"""
import difflib
import re
import subprocess
import sys

from command.errors import say

FIRST = 'NIR after the front end:'
HEADING = re.compile(r'^-- (before|after) (\S+) \((NIR|SIMD\d+)\)$')
# What follows the last program: listings, statistics.
END = re.compile(r'^(Native code for |Reasons for |NIR \(|NIR after|NIR: |'
                 r'SIMD\d+: |-- (after|verdict))')
POSITION = re.compile(r'^ *\d+: ')
CONTEXT = 2


def programs(text):
    """(pass, language, lines) of each program that was printed; pass is None
    of what was before one."""
    found = []
    lines = None
    for line in text.split('\n'):
        heading = HEADING.match(line)
        if line == FIRST or heading:
            lines = []
            found.append((heading[2] if heading[1] == 'after' else None,
                          heading[3], lines) if heading else
                         ('front end', 'NIR', lines))
        elif END.match(line):
            lines = None
        elif lines is not None:
            lines.append(POSITION.sub('', line))
    return found


def changes(found):
    """(pass, language, diff) of each pass that changed a program. With
    'emission' the back end begins, and begins again for another attempt."""
    before = {}
    for name, language, lines in found:
        old = None if name in ('emission', None) else before.get(language)
        before[language] = lines
        if old is not None and old != lines:
            yield name, language, list(
                difflib.unified_diff(old, lines, n=CONTEXT, lineterm=''))[2:]


def count(diff, sign):
    return sum(line.startswith(sign) for line in diff)


def run(tool, words):
    """tool is saffron-compile; returns its exit code, or 2 if the pass that
    was asked for changed nothing."""
    wanted = [word.partition('=')[2] for word in words
              if word.partition('=')[0] == '--passes'][-1]
    words = [word for word in words
             if word.partition('=')[0] != '--passes']
    result = subprocess.run([tool, '--debug=optimizer', *words], text=True,
                            stdout=subprocess.PIPE, errors='replace',
                            check=False)
    if result.returncode:
        return result.returncode
    table = []
    for name, language, diff in changes(programs(result.stdout)):
        if wanted and name != wanted:
            continue
        table.append((name, language, count(diff, '+'), count(diff, '-')))
        sys.stdout.write('\n'.join([f'-- {name} ({language})', *diff, '', '']))
    if wanted and not table:
        say(f'saffron compile: no pass {wanted} changed this shader')
        return 2
    print(f'{"pass":36} {"language":8} {"added":>7} {"removed":>7}')
    for name, language, added, removed in table:
        print(f'{name:36} {language:8} {added:7} {removed:7}')
    return 0


def bisect(tool, words):
    """The tool's exit code; what it prints, with the pass as a diff."""
    result = subprocess.run([tool, *words], text=True,
                            stdout=subprocess.PIPE, errors='replace',
                            check=False)
    for name, language, diff in changes(programs(result.stdout)):
        sys.stdout.write('\n'.join([f'-- {name} ({language})', *diff, '', '']))
    shown = True
    for line in result.stdout.split('\n'):
        if HEADING.match(line):
            shown = False
        elif line == '-- verdict':
            shown = True
        elif shown and line:
            print(line)
    return result.returncode
