#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of this tree's sources stands in another project's, too.

   originality.py [--tokens=N] [--share] [--all] CHECKOUT...

CHECKOUT is a folder with a checkout of another project, which you have made
elsewhere: nothing of it is read but to be compared. Listed is each run of N
tokens or more (25) that a file below src has in common with a file of it, with
lines, the number of tokens, and one place where it stands there. Identifiers
count as they are; comments, blank space and #include lines do not count.
--share prints the share of such runs in each file's tokens, largest first, in
place of the runs.

What may be alike stands in originality.txt, a line each:

   FILE WORD # REASON

a run of FILE (a shell pattern) in which WORD occurs is not listed: facts as
numbers of an interface, names that Vulkan, SPIR-V or the kernel give. --all
lists those as well.

Exit codes: 0 nothing is listed, 1 something is, 2 wrong use.
"""
import argparse
import fnmatch
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          'originality.txt')
ENDINGS = ('.c', '.h', '.cpp', '.hpp', '.cc')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[^\n]*', re.M)
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|'
                   r'[A-Za-z_]\w*|\.?\d[\w.]*|'
                   r'->|<<=?|>>=?|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|[^\s\w]')


def blank(match):
    return re.sub(r'[^\n]', ' ', match[0])


def tokens(text):
    """[(token, line)]"""
    text = INCLUDE.sub(blank, COMMENT.sub(blank, text))
    found = []
    line = at = 0
    for match in TOKEN.finditer(text):
        line += text.count('\n', at, match.start())
        at = match.start()
        found.append((match[0], line + 1))
    return found


def files_below(folder):
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(d for d in folders if d != '.git')
        for name in sorted(names):
            if name.endswith(ENDINGS):
                yield os.path.join(here, name)


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def windows(words, length):
    for at in range(len(words) - length + 1):
        yield hash(tuple(words[at:at + length]))


def index(checkouts, length):
    """{hash of a window: (file, line)} of all that the checkouts have."""
    known = {}
    for checkout in checkouts:
        for path in files_below(checkout):
            found = tokens(read(path))
            name = os.path.relpath(path, checkout)
            for at, key in enumerate(
                    windows([t for t, _ in found], length)):
                known.setdefault(key, (name, found[at][1]))
    return known


def read_exceptions(path):
    """[(file pattern, word)]; exits on a line without a reason."""
    rows = []
    if not os.path.exists(path):
        return rows
    for number, line in enumerate(read(path).split('\n'), 1):
        if not line or line.startswith('#'):
            continue
        match = re.fullmatch(r'(\S+) (\S+) # \S.*', line)
        if not match:
            sys.exit(f"{path}:{number}: expected 'FILE WORD # REASON'")
        rows.append((match[1], match[2]))
    return rows


def runs_of(found, known, length):
    """(first token, last token + 1, place) of the runs in one file."""
    words = [t for t, _ in found]
    start = end = None
    place = None
    for at, key in enumerate(windows(words, length)):
        if key not in known:
            continue
        if start is not None and at <= end:
            end = at + length
            continue
        if start is not None:
            yield start, end, place
        start, end, place = at, at + length, known[key]
    if start is not None:
        yield start, end, place


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkouts', nargs='+', metavar='CHECKOUT')
    parser.add_argument('--tokens', type=int, default=25)
    parser.add_argument('--share', action='store_true')
    parser.add_argument('--all', action='store_true')
    args = parser.parse_args()
    for folder in args.checkouts:
        if not os.path.isdir(folder):
            parser.error(f'{folder}: no such folder')
    if args.tokens < 5:
        parser.error('--tokens: at least 5')
    known = index(args.checkouts, args.tokens)
    exceptions = [] if args.all else read_exceptions(EXCEPTIONS)
    shares = []
    listed = 0
    for path in files_below(os.path.join(ROOT, 'src')):
        name = os.path.relpath(path, ROOT)
        found = tokens(read(path))
        alike = 0
        for first, last, place in runs_of(found, known, args.tokens):
            words = {t for t, _ in found[first:last]}
            if any(fnmatch.fnmatch(name, pattern) and word in words
                   for pattern, word in exceptions):
                continue
            alike += last - first
            listed += 1
            if not args.share:
                print(f'{name}:{found[first][1]}-{found[last - 1][1]}: '
                      f'{last - first} tokens, as {place[0]}:{place[1]}')
        if alike:
            shares.append((alike / len(found), alike, name))
    if args.share:
        for share, alike, name in sorted(shares, reverse=True):
            print(f'{share:6.1%} {alike:6} {name}')
    print(f'{listed} runs of {args.tokens} tokens or more, '
          f'{sum(a for _, a, _ in shares)} tokens', file=sys.stderr)
    return 1 if listed else 0


if __name__ == '__main__':
    sys.exit(main())
