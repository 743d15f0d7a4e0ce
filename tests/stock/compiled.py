# SPDX-License-Identifier: MIT
"""What a stock driver compiles for piglit's tests.

Tests run with Mesa's own driver over the simulated GPU. INTEL_DEBUG
makes the driver print the machine code of each shader. It prints to stderr
piece by piece, each a system call; coreutils' libstdbuf gives it a buffer.
Threads print into each other's lines: a context gets none of its own (iris
still compiles in one).

Tests for shader_runner compile all they have before they draw. So they are
run dry (SAFFRON_SIM_DRY_RUN): nothing is executed, and a test takes a few
milliseconds. They go to one process in batches. One that crashes or takes too
long costs the rest of its batch, so that is run again without it.

Other programs may wait for a result before they go on, or stop at the first
wrong pixel. They are executed, and run dry only where that takes too long.
"""

import os
import re
import subprocess
from pathlib import Path

PIGLIT = Path('/usr/lib/x86_64-linux-gnu/piglit')
STDBUF = Path('/usr/libexec/coreutils/libstdbuf.so')
BUFFER_B = 1 << 20
# blorp: what the driver itself draws with, for copies and clears.
PRINTED = 'vs,tcs,tes,gs,fs,cs,blorp,hex'
HEX = re.compile(rb'^((?:[0-9a-f]{2} ){8}(?:(?:[0-9a-f]{2} ){8})?) *[(a-z]',
                 re.M)
BEGINS = re.compile(rb'^PIGLIT TEST: (\d+) - ', re.M)
BATCH = 100
BATCH_S, EXECUTED_S, DRY_S, AGAIN_S = 60, 5, 30, 240


def shader_tests(folders):
    """The .shader_test files in these folders, or all that are installed."""
    for folder in folders or [PIGLIT / 'tests', PIGLIT / 'generated_tests']:
        yield from sorted(Path(folder).rglob('*.shader_test'))


def file_commands(files):
    return [['shader_runner', str(f), '-auto', '-fbo'] for f in files]


def profile_commands(profile):
    """Each command of a piglit profile once, as a list of words."""
    done = subprocess.run(['piglit', 'print-cmd', '--format', '{command}',
                           profile], stdout=subprocess.PIPE, text=True,
                          check=True)
    commands = {}
    for line in done.stdout.splitlines():
        words = line.split()
        commands[' '.join(words)] = [Path(words[0]).name, *words[1:]]
    return list(commands.values())


def batches(commands):
    """(program, files, options): what can run in one process, together."""
    waiting = {}
    for program, *words in commands:
        if not program.startswith('shader_runner') or len(words) < 1:
            yield program, [], words
            continue
        files = waiting.setdefault(program, [])
        files.append(words[0])
        if len(files) == BATCH:
            yield program, files, ['-auto', '-fbo']
            waiting[program] = []
    for program, files in waiting.items():
        if files:
            yield program, files, ['-auto', '-fbo']


def environment(gen, library):
    """How a test is executed."""
    preload = [str(library)] + [str(STDBUF)] * STDBUF.exists()
    return dict(os.environ, LD_PRELOAD=':'.join(preload),
                _STDBUF_E=str(BUFFER_B), SAFFRON_DEVICE='sim:' + gen,
                INTEL_DEBUG=PRINTED,
                PIGLIT_PLATFORM='surfaceless_egl',
                PIGLIT_SOURCE_DIR=str(PIGLIT),
                GALLIUM_THREAD='0', MESA_SHADER_CACHE_DISABLE='true')


def unbuffered(env):
    """How it prints at once, so that what ends it leaves what it printed."""
    return {key: value for key, value in env.items() if key != '_STDBUF_E'}


def dry(env):
    """How it is run without being executed."""
    return dict(env, SAFFRON_SIM_DRY_RUN='1')


def run(words, env, limit_s):
    """(what it printed, whether it came to its end). Not what it prints to
    stdout, which would be anywhere between: the start of each test is in
    stderr, too."""
    try:
        done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=limit_s,
                              check=False)
        return done.stderr, done.returncode in (0, 1)
    except subprocess.TimeoutExpired as e:
        return e.stderr or b'', False
    except FileNotFoundError:
        return b'', True  # a profile names what Debian does not build


def printed(env, batch, lost):
    """Yields (files, what a batch prints for them); BEGINS numbers the files
    from 1. Commands that did not end go to `lost`."""
    program, files, options = batch
    path = PIGLIT / 'bin' / program
    if not files:
        text, ended = run([path, *options], env, EXECUTED_S)
        yield files, text
        if not ended:
            text, ended = run([path, *options], dry(env), DRY_S)
            yield files, text
        if not ended:
            lost.append([program, *options])
        return
    while files:
        text, ended = run([path, *files, *options], dry(env),
                          BATCH_S + len(files))
        yield files, text
        if ended:
            return
        begun = [int(n) for n in BEGINS.findall(text)]
        at = max(begun, default=1)
        if len(files) == 1:
            at = 1
        lost.append([program, files[at - 1], *options])
        files = files[at:]


class Collection:
    """Different instructions, and how many of what was seen."""

    def __init__(self):
        self.found = set()
        self.programs = self.instructions = self.tests = 0
        self.lost = []

    def add(self, text):
        self.programs += text.count(b'Native code for')
        for m in HEX.finditer(text):
            self.instructions += 1
            self.found.add(bytes.fromhex(m[1].decode()))

    def run(self, gen, library, commands, progress=None, more=()):
        """Tests that were cut off may have been innocent, on a busy machine
        or because a dry run gives no results: they get a second try, executed,
        alone and unbuffered. What fails again is in `lost`. `more` are
        variables for them."""
        env = dict(environment(gen, library), **dict(more))
        cut_off = []
        for batch in batches(commands):
            for _, text in printed(env, batch, cut_off):
                self.add(text)
            self.tests += max(len(batch[1]), 1)
            if progress:
                progress(self)
        for program, *words in cut_off:
            text, ended = run([PIGLIT / 'bin' / program, *words],
                              unbuffered(env), AGAIN_S)
            self.add(text)
            if not ended:
                self.lost.append(' '.join([program, *words]))
