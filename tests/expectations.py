# SPDX-License-Identifier: MIT
"""What the runners of piglit and of VK-GL-CTS share: lists of expected
results, lists of tests, parts of lists, and the log of strict mode.

A list has a line a test that does not pass, 'STATUS TEST # REASON', or
'STATUS PREFIX* # REASON' for all tests of which none passes. A test without a
line is expected to pass.
"""
import atexit
import os
import re
import sys
import tempfile
import zlib

LINE = re.compile(r'^(\w+) (\S.*?) # (\S.*)$')


class Expectations:
    """What files of lines say each test ends with."""

    def __init__(self, paths, statuses, ignored=None):
        """Takes the files that exist, later ones over earlier ones. Exits with
        the line number on a bad line; 'statuses' are the words that may
        begin one. Lines whose reason has the words 'ignored' do not count."""
        self.exact = {}
        self.prefixes = []
        self.statuses = statuses
        self.ignored = ignored
        for path in paths:
            if os.path.exists(path):
                self.read(path)
        self.prefixes.sort(key=lambda p: -len(p[0]))

    def read(self, path):
        with open(path, encoding='utf-8') as lines:
            for number, line in enumerate(lines, 1):
                line = line.rstrip('\n')
                if line and not line.startswith('#'):
                    match = LINE.match(line)
                    if (not match or match[1] == 'pass' or
                            match[1] not in self.statuses):
                        sys.exit(f'saffron: {path}:{number}: expected '
                                 "'STATUS TEST # REASON'")
                    if not (self.ignored and self.ignored in match[3]):
                        self.add(match[2], match[1])

    def add(self, name, status):
        if name.endswith('*'):
            self.prefixes.append((name[:-1], status))
        else:
            self.exact[name] = status

    def of(self, name):
        """The status of the test's own line, else of the longest 'PREFIX*'."""
        if name in self.exact:
            return self.exact[name]
        return next((status for prefix, status in self.prefixes
                     if name.startswith(prefix)), 'pass')

    def differences(self, results):
        """[(test, expected, got)] of {test: status} where they differ; 'warn'
        counts as pass."""
        rows = []
        for name in sorted(results):
            want = self.of(name)
            got = 'pass' if results[name] == 'warn' else results[name]
            if want != got:
                rows.append((name, want, got))
        return rows


def read_list(path):
    """Test names, one a line; '#' begins a comment line."""
    try:
        with open(path, encoding='utf-8') as lines:
            return [l.strip() for l in lines
                    if l.strip() and not l.startswith('#')]
    except OSError as error:
        sys.exit(f'saffron: {path}: {error.strerror}')
    except UnicodeDecodeError:
        sys.exit(f'saffron: {path}: this is no text')


def read_results(path, statuses):
    """{test: [status, more...]} of a file of results, a test a line, with
    tabs between; a line that was cut short, or has another status, is none."""
    with open(path, encoding='utf-8', errors='replace') as lines:
        rows = [line.rstrip('\n').split('\t') for line in lines
                if line.endswith('\n')]
    return {row[0]: row[1:] for row in rows
            if len(row) > 1 and row[1] in statuses}


def check_options(parser, args, numbers, files):
    """Ends with a usage error where one of the options 'numbers' is below 1,
    a pattern is no regular expression, or one of 'files' cannot be written:
    before a long run, not at its end."""
    for name in numbers:
        value = getattr(args, name)
        if value is not None and value < 1:
            parser.error(f'--{name} wants a number above 0, not {value}')
    for pattern in args.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            parser.error(f"-t '{pattern}': {error}")
    check_writable(parser, [getattr(args, name) for name in files])


def check_writable(parser, paths):
    """Ends with a usage error where one of the files cannot be written; of
    paths that are None nothing is asked."""
    for path in filter(None, paths):
        try:
            with open(path, 'a', encoding='utf-8'):
                pass
        except OSError as error:
            parser.error(f'{path}: {error.strerror}')


def shard_of(names, shard):
    """Every n-th name from the k-th on, for 'k/n'."""
    match = re.fullmatch(r'(\d+)/(\d+)', shard)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        sys.exit(f"saffron: --shard wants K/N with 1 <= K <= N, not '{shard}'")
    return sorted(names)[int(match[1]) - 1::int(match[2])]


def hashed(names, part):
    """Of names one in 'part', drawn by a hash of the name: the same ones on
    every machine, however many others there are."""
    return [n for n in names if zlib.crc32(n.encode()) % part == 0]


def start_strict_log():
    """The log of strict mode, if that is on: a file of its own, or the one
    that the environment names."""
    if not os.environ.get('SAFFRON_SIM_STRICT'):
        return None
    if not os.environ.get('SAFFRON_SIM_STRICT_LOG'):
        handle, path = tempfile.mkstemp(prefix='saffron-strict-')
        os.close(handle)
        os.environ['SAFFRON_SIM_STRICT_LOG'] = path
        atexit.register(remove_empty, path)
    return os.environ['SAFFRON_SIM_STRICT_LOG']


def remove_empty(path):
    """Of a log in which nothing was said."""
    if os.path.exists(path) and not os.path.getsize(path):
        os.unlink(path)


def broken_rules(path):
    """{rule: count} of what strict mode has told in its log."""
    count = {}
    if path and os.path.exists(path):
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                rule = line.split(' ')[1]
                count[rule] = count.get(rule, 0) + 1
    return count


def print_broken(broken, log):
    """Says which rules were broken, and where the reports are."""
    for rule in sorted(broken):
        print(f'strict: {rule} broken in {broken[rule]} places')
    if broken:
        print(f'strict: the reports are in {log}')
