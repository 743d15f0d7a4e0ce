#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a user's own build of VK-GL-CTS on the driver and compares with what is
expected; the back end of `bin/saffron cts`, which sets the environment.

Expectations are in GEN.txt beside this file, of Vulkan's cases in vk-GEN.txt
(stock-GEN.txt and stock-vk-GEN.txt for Mesa's own drivers on the simulated
GPU), in the form of expectations.py. Of the cases of Vulkan that are not
supported there are too many to name: vk-unsupported.txt, and
vk-unsupported-GEN.txt for one generation, have a line for what they say.

The cases are run in chunks, some processes at a time. A case during which the
program ends, hangs or loses the device is noted as that, and the rest of its
chunk goes on in a new process. With --results every result is written down as
soon as it is known; --resume goes on from such a file.
"""
import argparse
import collections
import contextlib
import os
import queue
import re
import selectors
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from expectations import (Expectations, broken_rules, check_options,  # noqa
                          hashed, print_broken, read_list, read_results,
                          shard_of, start_strict_log)

STATUSES = ('pass', 'fail', 'crash', 'skip', 'timeout', 'lost', 'error',
            'warn')
# The words of VK-GL-CTS (framework/qphelper/qpTestLog) and ours for them.
WORDS = {'Pass': 'pass', 'Fail': 'fail', 'NotSupported': 'skip',
         'QualityWarning': 'warn', 'CompatibilityWarning': 'warn',
         'Waiver': 'warn', 'ResourceError': 'error', 'InternalError': 'error',
         'Pending': 'error', 'Crash': 'crash', 'Timeout': 'timeout',
         'DeviceLost': 'lost'}
DEVICE_LOST = 'VK_ERROR_DEVICE_LOST'
STARTED = re.compile(r"^Test case '(.+)'\.\.$")
ENDED = re.compile(r'^  (\w+) \((.*)\)?$')
OPTIONS = ['--deqp-log-images=disable', '--deqp-log-shader-sources=disable',
           '--deqp-log-flush=disable', '--deqp-log-filename=/dev/null',
           '--deqp-visibility=hidden']
GL_OPTIONS = ['--deqp-surface-type=pbuffer', '--deqp-surface-width=256',
              '--deqp-surface-height=256',
              '--deqp-gl-config-name=rgba8888d24s8ms0']


@contextlib.contextmanager
def case_list(names):
    """The path of a file that names the cases, as the programs read it."""
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as listed:
        listed.write('\n'.join(names) + '\n')
        listed.flush()
        yield listed.name


class Program:
    """One program of VK-GL-CTS: how to ask it for cases and to run them."""

    def __init__(self, path, gl, args):
        self.path = os.path.abspath(path)
        self.gl = gl
        given = {option.split('=')[0] for option in args.extra}
        self.options = [option for option in OPTIONS + (GL_OPTIONS * gl)
                        if option.split('=')[0] not in given] + args.extra
        self.env = dict(os.environ)
        if gl:
            self.env.setdefault('EGL_PLATFORM', 'surfaceless')
        if args.stock:
            self.env['LD_PRELOAD'] = args.stock
        # The programs look for their data where they lie.
        self.folder = os.path.dirname(self.path)

    def cases(self, packages, wanted=None):
        """Names of the cases that the program has, of all packages or of
        those named. glcts lists packages until one wants what its platform
        does not have. Of the two million of Vulkan only those 'wanted' are
        asked for, if that is no None."""
        if wanted and not self.gl:
            with case_list(sorted(wanted)) as path:
                return self.listed(None, [f'--deqp-caselist-file={path}'])
        return [name for package in packages or [None]
                for name in self.listed(
                    package,
                    [f'--deqp-case={package}.*'] if package else [])]

    def listed(self, package, choice):
        done = subprocess.run(
            [self.path, '--deqp-runmode=stdout-caselist'] + self.options +
            choice,
            cwd=self.folder, env=self.env, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
            errors='replace')
        lines = done.stdout.splitlines()
        names = [line[len('TEST: '):].strip() for line in lines
                 if line.startswith('TEST: ')]
        if done.returncode or not names:
            tail = [line for line in lines if line.strip()][-1:] or ['nothing']
            what = f'package {package}' if package else 'cases'
            hint = '' if package else '; --package=NAME asks for one alone'
            sys.exit(f'saffron: {self.path} does not list its {what}: '
                     f'{tail[0]}{hint}')
        return names

    def start(self, case_list):
        """A process that runs the cases of the file."""
        return subprocess.Popen(
            [self.path, f'--deqp-caselist-file={case_list}'] + self.options,
            cwd=self.folder, env=self.env, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)


class Lines:
    """Lines of a process's output, with an end to patience."""

    def __init__(self, process):
        self.process = process
        self.buffer = b''
        self.ended = False
        os.set_blocking(process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(process.stdout, selectors.EVENT_READ)

    def next(self, patience):
        """The next line without its end, None at the end of the output.
        Raises TimeoutError when patience ends."""
        while b'\n' not in self.buffer:
            left = patience.deadline - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                if not patience.extend():
                    raise TimeoutError
                continue
            piece = self.process.stdout.read(1 << 16)
            if not piece:
                self.ended = True
                rest, self.buffer = self.buffer, b''
                return rest.decode(errors='replace') if rest else None
            self.buffer += piece
        line, self.buffer = self.buffer.split(b'\n', 1)
        return line.decode(errors='replace')

    def close(self):
        """Ends the process, if it does not by itself: who has closed its
        output gets some time for it, which on a busy machine it needs."""
        self.selector.close()
        try:
            self.process.wait(10 if self.ended else 0)
        except subprocess.TimeoutExpired:
            pass
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Patience:
    """When a case has hung: by the clock, as long as its process had the
    processor; on a busy machine a process that waits for its turn, or for a
    disk, may take longer."""
    BUSY = 20  # times as long, at the most

    def __init__(self, pid, timeout):
        self.pid, self.timeout = pid, timeout
        self.begin()

    def begin(self):
        self.start = time.monotonic()
        self.deadline = self.start + self.timeout
        self.start_cpu = self.seen = self.state()[1]

    def state(self):
        """Whether the process wants to go on right now, and the seconds of
        processor time that it has had."""
        try:
            with open(f'/proc/{self.pid}/stat', encoding='ascii') as stat:
                fields = stat.read().rsplit(')', 1)[1].split()
        except (OSError, IndexError):
            return False, 0.0
        return fields[0] in 'RD', ((int(fields[11]) + int(fields[12])) /
                                   os.sysconf('SC_CLK_TCK'))

    def extend(self):
        """Called at the deadline: puts it off, or returns False."""
        now = time.monotonic()
        waits, cpu = self.state()
        if (now - self.start >= self.BUSY * self.timeout or
                cpu - self.start_cpu >= self.timeout or
                (cpu - self.seen < 0.01 and not waits)):
            return False
        self.seen = cpu
        self.deadline = now + self.timeout
        return True


def run_process(program, names, timeout, report):
    """Runs cases in one process until its end. Calls report(name, status,
    words) for each that ended; a case during which the process ended or ran
    out of its time ends as 'crash' or 'timeout'. True if any case began."""
    current, began = None, False
    with case_list(names) as path:
        lines = Lines(program.start(path))
        patience = Patience(lines.process.pid, timeout)
        try:
            while (line := lines.next(patience)) is not None:
                if match := STARTED.match(line):
                    current, began = match[1], True
                    patience.begin()
                elif current and (match := ENDED.match(line)):
                    if match[1] in WORDS:
                        words = match[2].removesuffix(')')
                        status = WORDS[match[1]]
                        # Most cases only say what a command has returned;
                        # the device is lost to those that follow, too.
                        if status == 'fail' and DEVICE_LOST in words:
                            status = 'lost'
                        report(current, status, words)
                        current = None
                        if status == 'lost':
                            return True
        except TimeoutError:
            report(current or names[0], 'timeout',
                   f'no end within {timeout} s')
            return True
        finally:
            lines.close()
        if current:
            code = lines.process.returncode
            report(current, 'crash', f'signal {-code}' if code < 0
                   else f'the program ended with {code}')
    return began


def run_chunk(program, names, timeout, report):
    """Runs all cases of a chunk, in as many processes as that needs."""
    left = collections.OrderedDict.fromkeys(names)

    def done(name, status, words):
        if name in left:
            del left[name]
            report(name, status, words)

    while left:
        before = len(left)
        began = run_process(program, list(left), timeout, done)
        if len(left) == before:
            # Nothing ran: a case that the program does not have ends it at
            # its start, or leaves it with nothing to do.
            done(next(iter(left)), 'error',
                 'began, but no result of it came' if began
                 else 'the program does not run it')


class Results:
    """{case: status}, kept in a file while they come."""

    def __init__(self, path, resume, total):
        self.status = {}
        self.words = {}
        self.lock = threading.Lock()
        self.total = total
        self.shown = 0.0
        self.file = None
        if path and resume and os.path.exists(path):
            self.read(path)
        if path:
            # Begins anew, so that a line that was cut short goes.
            self.file = open(path, 'w', encoding='utf-8', buffering=1)
            for name, status in self.status.items():
                self.write(name, status, self.words[name])

    def read(self, path):
        for name, row in read_results(path, STATUSES).items():
            if len(row) == 2:
                self.status[name], self.words[name] = row

    def write(self, name, status, words):
        if self.file:
            self.file.write(f'{name}\t{status}\t{words}\n')

    def add(self, name, status, words):
        with self.lock:
            words = ' '.join(words.split())
            self.status[name] = status
            self.words[name] = words
            self.write(name, status, words)
            self.progress()

    def progress(self):
        now = time.monotonic()
        if sys.stderr.isatty() and now - self.shown > 1:
            self.shown = now
            print(f'\r{len(self.status)}/{self.total} cases', end='',
                  file=sys.stderr, flush=True)


def run_all(work, jobs, results, timeout):
    """Runs [(program, names)] by some threads; the order in which chunks are
    begun is that of the list."""
    todo = queue.SimpleQueue()
    for chunk in work:
        todo.put(chunk)

    def worker():
        while True:
            try:
                program, names = todo.get_nowait()
            except queue.Empty:
                return
            run_chunk(program, names, timeout, results.add)

    threads = [threading.Thread(target=worker, daemon=True)
               for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def chunks_of(names, size):
    """Chunks of neighbours, which share what a program sets up."""
    return [names[i:i + size] for i in range(0, len(names), size)]


def select(names, args):
    """Those of the names that the options ask for."""
    if args.patterns:
        wanted = [re.compile(p) for p in args.patterns]
        names = [n for n in names if any(w.search(n) for w in wanted)]
    if args.every:
        names = hashed(names, args.every)
    if args.shard:
        names = shard_of(names, args.shard)
    return names


class Unsupported:
    """What cases of Vulkan that are not supported may say: 'WORDS # REASON'
    lines, in which '*' is anything. The place in the source that the words
    end with does not count."""
    PLACE = re.compile(r'( at \S+:\d+)?$')

    def __init__(self, paths):
        patterns = []
        for path in paths:
            if not os.path.exists(path):
                continue
            for number, line in enumerate(read_lines(path), 1):
                if not line or line.startswith('#'):
                    continue
                words, mark, reason = line.partition(' # ')
                if not words or not mark or not reason.strip():
                    sys.exit(f"saffron: {path}:{number}: expected "
                             "'WORDS # REASON'")
                patterns.append('.*'.join(map(re.escape, words.split('*'))))
        self.match = re.compile('|'.join(patterns)).fullmatch \
            if patterns else lambda words: None

    def expects(self, words):
        return bool(self.match(self.PLACE.sub('', words)))


def read_lines(path):
    with open(path, encoding='utf-8') as lines:
        return [line.rstrip('\n') for line in lines]


def compared(args, results, names):
    """The rows in which results of the cases are not as expected."""
    kinds = ['vk-'] * bool(args.deqp_vk) + [''] * bool(args.glcts)
    stock = 'stock-' * bool(args.stock)
    expected = Expectations(
        [os.path.join(HERE, f'{stock}{kind}{args.gen}.txt')
         for kind in kinds], STATUSES)
    words = Unsupported(
        [os.path.join(HERE, f'{stock}vk-unsupported{end}.txt')
         for end in ('', f'-{args.gen}')] if args.deqp_vk else [])
    rows = expected.differences({n: results.status[n] for n in names})
    return [row for row in rows
            if row[1:] != ('pass', 'skip') or
            not words.expects(results.words[row[0]])]


def parse():
    parser = argparse.ArgumentParser(
        prog='bin/saffron cts',
        description='Run your own build of VK-GL-CTS (glcts, deqp-gles*, '
        'deqp-vk) on the driver, and compare with tests/cts/GEN.txt, of Vulkan '
        'with vk-GEN.txt and vk-unsupported.txt.',
        epilog='What follows -- goes to the program. With --strict[=fault] '
        'and --rules=LIST (bin/saffron run --help) the rules of the chips '
        'are checked, too. Exit code: 0 when every result is as expected '
        'and no rule is broken, 1 when not, 2 on a mistake in the options.')
    parser.add_argument('--glcts', metavar='PATH', action='append',
                        default=[], help='a program for OpenGL or OpenGL ES')
    parser.add_argument('--deqp-vk', metavar='PATH', action='append',
                        default=[], help='a program for Vulkan')
    parser.add_argument('--caselist', metavar='FILE',
                        help='only the cases named in FILE, one a line')
    parser.add_argument('--package', metavar='NAME', action='append',
                        default=[], help='only this package (KHR-GL46); may '
                        'be repeated (default: those of --caselist, or all)')
    parser.add_argument('-t', dest='patterns', metavar='REGEX',
                        action='append', default=[],
                        help='only cases that match; may be repeated')
    parser.add_argument('--every', type=int, metavar='N',
                        help='one case in N, drawn by a hash of its name')
    parser.add_argument('--shard', metavar='K/N',
                        help='every N-th case from the K-th on')
    parser.add_argument('--gen', default='skl', help='generation')
    parser.add_argument('--stock', nargs='?', metavar='LIBRARY',
                        help="run Mesa's own driver on the simulated GPU "
                        'instead of ours (bin/saffron names the library)')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count(),
                        help='programs at a time (default: one a core)')
    parser.add_argument('--chunk', type=int, default=200, metavar='N',
                        help='cases to a process (default: 200)')
    parser.add_argument('--timeout', type=int, default=240,
                        help='seconds a case may take, not counting those in '
                        'which it waits for a processor (default: 240)')
    parser.add_argument('--results', metavar='FILE',
                        help='write case, result, words; one a line, as they '
                        'come')
    parser.add_argument('--resume', action='store_true',
                        help='leave out what --results has from before')
    argv = sys.argv[1:]
    extra = argv[argv.index('--') + 1:] if '--' in argv else []
    args = parser.parse_args(argv[:argv.index('--')] if extra else argv)
    args.extra = extra
    if not args.glcts and not args.deqp_vk:
        parser.error('which program? --glcts=PATH or --deqp-vk=PATH')
    for path in args.glcts + args.deqp_vk:
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            parser.error(f'{path}: no program')
    if args.resume and not args.results:
        parser.error('--resume wants --results')
    check_options(parser, args, ('jobs', 'chunk', 'timeout', 'every'),
                  ('results',))
    return args


def refuse_unknown(args, wanted, known):
    """Ends if a case of the list is one of no program, before any runs."""
    unknown = sorted(wanted - known)
    if unknown:
        more = f' ({len(unknown)} such names)' if len(unknown) > 1 else ''
        programs = ' or '.join(args.glcts + args.deqp_vk)
        sys.exit(f"saffron: {args.caselist}: '{unknown[0]}' is no case of "
                 f'{programs}{more}')


def main():
    args = parse()
    log = start_strict_log()  # which the programs have in their environment
    programs = ([Program(p, True, args) for p in args.glcts] +
                [Program(p, False, args) for p in args.deqp_vk])
    wanted = set(read_list(args.caselist)) if args.caselist else None

    packages = args.package or sorted({n.split('.')[0] for n in wanted or []})

    work, names, known = [], [], set()
    for program in programs:
        cases = program.cases(packages, wanted)
        if wanted is not None:
            cases = [c for c in cases if c in wanted]
        known.update(cases)
        cases = select(cases, args)
        names += cases
        work.append((program, cases))
    if wanted:
        refuse_unknown(args, wanted, known)
    if not names:
        sys.exit('saffron: no case matches')

    results = Results(args.results, args.resume, len(names))
    run_all([(program, chunk) for program, cases in work
             for chunk in chunks_of([c for c in cases
                                     if c not in results.status], args.chunk)],
            args.jobs, results, args.timeout)
    ours = {n: results.status[n] for n in names}

    rows = compared(args, results, names)
    for name, want, got in rows:
        print(f'{name}: expected {want}, got {got} ({results.words[name]})')
    broken = broken_rules(log)
    print_broken(broken, log)
    count = collections.Counter(ours.values())
    good = count['pass'] + count['warn']
    print(f'{len(rows)} not as expected')
    print(f"{good} passed, {len(ours) - good - count['skip']} failed, "
          f"{count['skip']} skipped")
    return 1 if rows or broken else 0


if __name__ == '__main__':
    sys.exit(main())
