# SPDX-License-Identifier: MIT
"""duplicates: no LINES or more lines of the same shape in two files of src.

The shape of a line is what is left when each name, number and string is one
letter; blank lines, comments, lone braces and includes do not count. Tests,
tables (rows in braces, initialised fields, lists of names or numbers) and
declarations may look alike. An exception's key is the pair of files.
"""
import re

from tree import Find, is_test, without_comments

LINES = 12
WORDS = {'if', 'else', 'for', 'while', 'switch', 'case', 'default', 'return',
         'break', 'continue', 'struct', 'static', 'const', 'sizeof', 'goto'}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d[\w.]*')
ROW = re.compile(r'[A-Z_]+\(.*\);?')
# A field of an initialiser, an enumerator, a row or an item of a table.
ITEM = re.compile(r'\.\w+ =.*|\w+ = [^(]*,|[A-Z_]\w+ = .*,|\{.*|[\w"%| .-]*,|\[\w+\] = .*|'
                  r'\w+\([^()]*\),')
# A run with fewer lines that do something is a list, not code.
DOING = re.compile(r'[=(]|return')


def shape(line):
    return TOKEN.sub(lambda m: m[0] if m[0] in WORDS else 'x',
                     re.sub(r'\s+', '', line) if not TOKEN.search(line)
                     else ' '.join(line.split()))


def lines_of(text):
    """(line number, shape) of the lines that count."""
    for number, line in enumerate(without_comments(text).split('\n'), 1):
        line = line.strip()
        if not line or line in ('{', '}', '};', '} else {', 'break;') or \
                line.startswith('#include'):
            continue
        if line.endswith('\\') or line.startswith('case ') or \
                ROW.fullmatch(line) or ITEM.fullmatch(line):
            # Tables and macros: not told apart by shape.
            yield number, None
            continue
        yield number, shape(line)


def check(tree):
    runs = {}
    counted = {}
    for path in tree.sources():
        if not path.startswith('src/') or is_test(path):
            continue
        counted[path] = list(lines_of(tree.text(path)))
        shapes = [s for _, s in counted[path]]
        for at in range(len(shapes) - LINES + 1):
            window = tuple(shapes[at:at + LINES])
            if None not in window and \
                    sum(bool(DOING.search(s)) for s in window) > LINES // 2:
                runs.setdefault(window, []).append((path, at))
    pairs = {}
    for places in runs.values():
        for path, at in places:
            for other, there in places:
                if path < other:
                    pairs.setdefault((path, other), (at, there))
    for (path, other), (at, there) in sorted(pairs.items()):
        yield Find(path, counted[path][at][0], f'{path} {other}',
                   f'{LINES} lines as in {other}:{counted[other][there][0]}')
