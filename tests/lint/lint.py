#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules that a compiler does not check; a stage of `bin/saffron test`.

usage: lint.py [--update] [RULE...]

Each rule is a file beside this one. A find that has to wait stands in
exceptions.txt: 'RULE COUNT KEY # REASON'. The list only shrinks: fewer finds
than COUNT are an error, too, which --update mends (it never adds a line or
raises a number).

Exit codes: 0 nothing found, 1 something found, 2 wrong use.
"""
import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
from tree import Tree  # pylint: disable=wrong-import-position

RULES = ('includes', 'names', 'version', 'descriptors', 'sizes', 'layout',
         'documents', 'passes', 'format', 'duplicates', 'uncalled',
         'rejections', 'environment', 'temporaries', 'kept', 'terms', 'rooms')
LINE = re.compile(r'(\w+) (\d+) (\S.*?) # (\S.*)')
SHOWN = 5


def read_exceptions(text):
    """{(rule, key): count}; a ValueError has the number of a bad line."""
    allowed = {}
    for number, line in enumerate(text.split('\n'), 1):
        if line and not line.startswith('#'):
            match = LINE.fullmatch(line)
            if not match or match[1] not in RULES or int(match[2]) < 1:
                raise ValueError(number)
            allowed[(match[1], match[3])] = int(match[2])
    return allowed


def judge(finds, allowed):
    """Lines to print for {(rule, key): [find]}; none if all is well."""
    lines = []
    for (rule, key), found in sorted(finds.items()):
        limit = allowed.get((rule, key), 0)
        if len(found) <= limit:
            continue
        for find in found[:SHOWN]:
            lines.append(f'{find.path}:{find.line}: {rule}: {find.text}')
        if len(found) > SHOWN:
            lines.append(f'{key}: {rule}: and {len(found) - SHOWN} more')
        if limit:
            lines.append(f'{key}: {rule}: {len(found)} in all, '
                         f'exceptions.txt lets {limit} pass')
    for (rule, key), limit in sorted(allowed.items()):
        count = len(finds.get((rule, key), ()))
        if count < limit:
            lines.append(f'exceptions.txt: {rule} {key}: {limit} are one '
                         f'too many, there are {count}: run lint.py --update')
    return lines


def shrunk(text, finds):
    """exceptions.txt without what is no longer needed."""
    lines = []
    for line in text.split('\n'):
        match = LINE.fullmatch(line)
        if match:
            count = len(finds.get((match[1], match[3]), ()))
            count = min(count, int(match[2]))
            if not count:
                continue
            line = f'{match[1]} {count} {match[3]} # {match[4]}'
        lines.append(line)
    return '\n'.join(lines)


def run(tree, rules):
    finds = {}
    for rule in rules:
        for find in importlib.import_module(rule).check(tree):
            finds.setdefault((rule, find.key), []).append(find)
    return finds


def main(argv):
    update = '--update' in argv
    rules = [a for a in argv if a != '--update']
    if '-h' in rules or '--help' in rules:
        print(__doc__.strip())
        return 0
    unknown = [r for r in rules if r not in RULES]
    if unknown:
        print(f'lint.py: no rule {unknown[0]}: there are ' +
              ', '.join(RULES), file=sys.stderr)
        return 2
    rules = rules or RULES
    file = HERE / 'exceptions.txt'
    text = file.read_text(encoding='utf-8')
    try:
        allowed = read_exceptions(text)
    except ValueError as bad:
        print(f"lint.py: {file}:{bad}: expected 'RULE COUNT KEY # REASON'",
              file=sys.stderr)
        return 2
    finds = run(Tree(ROOT), rules)
    if update:
        others = {k: [None] * n for k, n in allowed.items()
                  if k[0] not in rules}
        file.write_text(shrunk(text, {**others, **finds}), encoding='utf-8')
        allowed = read_exceptions(file.read_text(encoding='utf-8'))
    lines = judge(finds, {k: n for k, n in allowed.items()
                          if k[0] in rules})
    print('\n'.join(lines) if lines else f'{len(rules)} rules hold, with '
          f'{sum(allowed.values())} exceptions')
    return 1 if lines else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
