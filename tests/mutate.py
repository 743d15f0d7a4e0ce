#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how much the tests notice: changes one operator, constant,
condition or call at a time, builds, and runs the nearest suites.

usage: mutate.py [--build=DIR] [--count=N] [--seed=TEXT] [--suite=NAME]...
                 [--tests=REGEX] [--time=SECONDS] [--list] FOLDER...

FOLDER is one of src, such as src/intel/isl. Which places are changed follows
from a hash of the seed, the file and the line's text, so that the same ones
come again as long as their lines stay. Suites run in the order of nearness, and
what a farther one needs is built only for a mutant that nearer ones let pass.
A mutant is

   caught     a test fails, or takes ten times as long as without it
   survived   all of them pass: a test is missing, or nothing depends on it
   invalid    it does not compile, and does not count

The file is changed where it is and put back, whatever ends the program but
SIGKILL; one with changes of its own is left alone. The exit code is 0 whatever
survives, unless the tests fail without a mutant.
"""
import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The suites nearest to a folder, the nearest first; the first that a path begins
# with. Of the driver's, the oldest and the newest generation.
NEAREST = (
    ('src/intel/isl', ('intel-isl', 'vulkan')),
    ('src/intel/vulkan', ('vulkan',)),
    ('src/intel/compiler', ('compiler', 'vulkan')),
    ('src/compiler/nir', ('nir', 'compiler', 'vulkan')),
    ('src/compiler/spirv', ('spirv', 'vulkan')),
    ('src/intel/sim', ('sim',)),
    ('src/drm-shim', ('shim', 'sim')),
    ('src/intel/drm-shim', ('shim', 'sim')),
    ('src/util', ('util',)),
)
USUAL = r'^(?!vulkan_)|^vulkan_.*_(ivb|skl)$'

SPARE_S = 10  # beside ten times what a test takes

TOKEN = re.compile(r'''
    (?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'
            |^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+)(?:\.\d*)?(?:[eE][-+]?\d+)?\w*)
  | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|.)
''', re.X | re.S | re.M)

SWAPS = {'==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>',
         '&&': '||', '||': '&&', '+': '-', '-': '+', '<<': '>>', '>>': '<<',
         '&': '|', '|': '&', '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|='}
# As signs of one operand these are something else.
BINARY = {'+', '-', '&', '*'}
WORDS = {'true': 'false', 'false': 'true', 'MIN2': 'MAX2', 'MAX2': 'MIN2'}
# What a test cannot or need not notice.
SILENT = re.compile(r'assert|unreachable|INTEL_DEBUG|printf|_error\(|PRAGMA')
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'else', 'do',
            'case', 'default', 'goto', 'break', 'continue'}


class Mutant:
    """One change: file, offset, and what stands there before and after."""

    def __init__(self, path, text, at, old, new):
        self.same = 0  # such changes of the same line further up
        self.path, self.at, self.old, self.new = path, at, old, new
        self.line = text.count('\n', 0, at) + 1
        start = text.rfind('\n', 0, at) + 1
        self.source = text[start:text.find('\n', at)]
        self.column = at - start

    def key(self, seed):
        name = '\0'.join((seed, self.path, self.source, str(self.column),
                          self.new, str(self.same)))
        return hashlib.sha256(name.encode()).digest()

    def apply(self, text):
        assert text.startswith(self.old, self.at)
        return text[:self.at] + self.new + text[self.at + len(self.old):]

    def __str__(self):
        old, new = (' '.join(t.split()) for t in (self.old, self.new))
        return (f'{self.path}:{self.line}: {old} -> {new}'
                f'   | {self.source.strip()}')


def tokens(text):
    """(offset, kind, text) of what is code."""
    for m in TOKEN.finditer(text):
        if m.lastgroup != 'skip' and not m.group().isspace():
            yield m.start(), m.lastgroup, m.group()


def closing(toks, i):
    """The index of the parenthesis that closes that at i; None: there is
    none."""
    depth = 0
    for j in range(i, len(toks)):
        depth += {'(': 1, ')': -1}.get(toks[j][2], 0)
        if depth == 0:
            return j
    return None


def number_plus_one(text):
    m = re.fullmatch(r'(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)', text)
    if not m:
        return None
    value = int(m[1], 0 if m[1][:2] in ('0x', '0X') else 10) + 1
    return (hex(value) if 'x' in m[1].lower() else str(value)) + m[2]


def changes_at(text, toks, i):
    """(offset, old, new) that the token at i leads to."""
    at, kind, word = toks[i]
    before = toks[i - 1] if i else (0, 'mark', ';')
    operand = before[1] in ('word', 'number') or before[2] in (')', ']')
    if before[2] in KEYWORDS:
        operand = False
    if kind == 'mark' and word in SWAPS and (word not in BINARY or operand):
        yield at, word, SWAPS[word]
    elif kind == 'number' and number_plus_one(word):
        yield at, word, number_plus_one(word)
    elif word in WORDS:
        yield at, word, WORDS[word]
    elif word == 'if' and i + 1 < len(toks) and toks[i + 1][2] == '(':
        end = closing(toks, i + 1)
        if end:
            start = toks[i + 1][0]
            old = text[start:toks[end][0] + 1]
            yield start, old, f'(!{old})'
    elif kind == 'word' and not word.isupper() and before[2] in (';', '{', '}', ')') and \
            word not in KEYWORDS and i + 1 < len(toks) and \
            toks[i + 1][2] == '(':
        end = closing(toks, i + 1)
        if end and end + 1 < len(toks) and toks[end + 1][2] == ';':
            old = text[at:toks[end][0] + 1]
            yield at, old, '(void)0' + '\n' * old.count('\n')


def mutants_of(path, text):
    """All changes inside of functions."""
    toks = list(tokens(text))
    out, seen, depth, function = [], {}, 0, False
    for i, (at, _, word) in enumerate(toks):
        if word == '{':
            if depth == 0:
                function = i > 0 and toks[i - 1][2] == ')'
            depth += 1
        elif word == '}':
            depth -= 1
        if depth == 0 or not function:
            continue
        for change in changes_at(text, toks, i):
            m = Mutant(path, text, *change)
            if not SILENT.search(m.source):
                name = (m.source, m.column, m.new)
                m.same = seen.get(name, 0)
                seen[name] = m.same + 1
                out.append(m)
    return out


def sources(folder):
    for where, dirs, files in os.walk(os.path.join(ROOT, folder)):
        dirs[:] = sorted(d for d in dirs if d != 'tests')
        for name in sorted(files):
            if name.endswith('.c'):
                yield os.path.relpath(os.path.join(where, name), ROOT)


def drawn(folders, seed, count):
    """The first mutants of the folders in the order of the hash."""
    found = []
    for folder in folders:
        for path in sources(folder):
            with open(os.path.join(ROOT, path), encoding='utf-8') as file:
                found += mutants_of(path, file.read())
    return sorted(found, key=lambda m: m.key(seed))[:count]


def suites_for(path):
    for folder, suites in NEAREST:
        if path.startswith(folder + '/'):
            return suites
    sys.exit(f'mutate.py: no suite is near {path}: give one with --suite')


class Suites:
    """The tests of a build directory, those that end soonest first. No names:
    all."""

    def __init__(self, build, names, pattern):
        self.build = build
        targets = {t['id']: t for t in self.introspect('--targets')}
        self.tests = [t for t in self.introspect('--tests')
                      if names is None or
                      set(names) & {s.split(':')[-1] for s in t['suite']}
                      and re.search(pattern, t['name'])]
        if not self.tests:
            sys.exit('mutate.py: no such tests')
        self.files = sorted({
            os.path.relpath(f, build) for t in self.tests
            for d in t['depends'] for f in targets[d]['filename']})
        self.seconds = {}

    def introspect(self, what):
        return json.loads(subprocess.run(
            ['meson', 'introspect', self.build, what], check=True,
            stdout=subprocess.PIPE).stdout)

    def compile(self):
        return subprocess.run(
            ['ninja', '-C', self.build, *self.files],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False).returncode == 0

    def passes(self, test, limit):
        """None: it does not end in time."""
        with subprocess.Popen(
                test['cmd'], env={**os.environ, **test['env']},
                cwd=test['workdir'] or self.build, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True) as process:
            try:
                return process.wait(limit) in (0, 77)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    def prepare(self):
        """Measures them, once; without a mutant all must pass."""
        if self.seconds:
            return
        if not self.compile():
            sys.exit('mutate.py: it does not build without a mutant')
        failed = self.measure()
        if failed:
            sys.exit('mutate.py: without a mutant these fail: '
                     + ' '.join(failed))

    def measure(self):
        """Names of those that fail without a mutant."""
        failed = []
        for test in self.tests:
            start = time.monotonic()
            if not self.passes(test, 600):
                failed.append(test['name'])
            self.seconds[test['name']] = time.monotonic() - start
        self.tests.sort(key=lambda t: self.seconds[t['name']])
        return failed

    def verdict(self):
        if not self.compile():
            return 'invalid', ''
        for test in self.tests:
            limit = 10 * self.seconds[test['name']] + SPARE_S
            if not self.passes(test, limit):
                return 'caught', test['name']
        return 'survived', ''


def has_changes(path):
    return subprocess.run(['git', '-C', ROOT, 'diff', '--quiet', '--', path],
                          check=False).returncode != 0


def tried(mutant, stages):
    """What becomes of a mutant, with suites of which each that is first used
    is measured before; the file is as it was."""
    path = os.path.join(ROOT, mutant.path)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    verdict = 'survived', ''
    for suites in stages:
        suites.prepare()
        try:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(mutant.apply(text))
            verdict = suites.verdict()
        finally:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        if verdict[0] != 'survived':
            break
    return verdict


def summary(counts):
    valid = counts['caught'] + counts['survived']
    share = f' ({100 * counts["caught"] // valid} %)' if valid else ''
    return (f'{counts["caught"]} of {valid} caught{share}, '
            f'{counts["invalid"]} invalid')


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--count', type=int, default=10)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--suite', action='append')
    parser.add_argument('--tests', default=USUAL)
    parser.add_argument('--time', type=float, default=float('inf'),
                        help='begin no mutant after so many seconds')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('folders', nargs='+', metavar='FOLDER')
    return parser.parse_args()


def main():
    args = arguments()
    mutants = drawn([f.rstrip('/') for f in args.folders], args.seed,
                    args.count)
    if args.list:
        print(*mutants, sep='\n')
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # Each suite once, in the order in which the mutants name them.
    stages, end = {}, time.monotonic() + args.time
    counts = {'caught': 0, 'survived': 0, 'invalid': 0}
    for mutant in mutants:
        if time.monotonic() > end:
            break
        if has_changes(mutant.path):
            print(f'left alone, it has changes: {mutant.path}')
            continue
        names = args.suite or suites_for(mutant.path)
        for name in names:
            if name not in stages:
                stages[name] = Suites(os.path.abspath(args.build), [name],
                                      args.tests)
        verdict, test = tried(mutant, [stages[n] for n in names])
        counts[verdict] += 1
        print(f'{verdict:8} {mutant}' + (f'   ({test})' if test else ''),
              flush=True)
    for suites in stages.values():
        if suites.seconds:
            suites.compile()
    print(summary(counts))


if __name__ == '__main__':
    main()
