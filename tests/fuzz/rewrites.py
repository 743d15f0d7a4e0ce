#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shaders of a folder of yours in other forms that mean the same, on the
driver: what they give must be the same.

usage: bin/saffron fuzz --rewrites [--gen=G[,G...]] [--forms=N] [--first=N]
                                   [--keep=DIR] [-v] PATH...

PATH is a file or a folder of them:

   *.shader_test   of piglit, run by its shader_runner through stock libGL; a
                   layer (rewrite_layer.c) changes the modules that zink makes.
                   What the test says is compared, and the pixels in 12 by 12
                   places at its end.
   *.vert, *.geom, *.frag, *.comp, *.spv, *.spvasm
                   GLSL, SPIR-V and its assembly, as Vulkan takes them. Files
                   whose names differ in their endings alone are a pipeline;
                   a vertex or fragment shader without the other gets one
                   that fits. Buffers, push constants, textures and vertices
                   are random numbers of the types that a shader names
                   (shader_files.py). All buffers and images are compared.

Forms are those of fuzz --programs: rewrite.py, and passes of spirv-opt; which,
follows from the module and a number, the first of which --first gives. A form
that spirv-val refuses is left out. Where GLSL lets a*b+c round once or twice a
form may choose otherwise: what differs runs again with all of its arithmetic
decorated with NoContraction, in both forms, and counts if it differs then.

A shader test that differs is run with fewer steps, as long as it does. It is
printed, with what was done to the modules, which --keep keeps.
"""
import argparse
import hashlib
import json
import os
import re
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import rewrite
import shader_files
from programs import Form
from progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
RUNNERS = Path('/usr/lib/x86_64-linux-gnu/piglit/bin')
SKIPPED = 77
LAYER = 'VK_LAYER_SAFFRON_rewrite'
STARTED = re.compile(r'^PIGLIT TEST: (\d+) - .*\n', re.M)
BATCH = 20  # tests of a process
LIMIT_S = 120  # and 10 for each test
# No pixel is that: each probe prints what it sees.
PROBE = 'relative probe rgba ({:.4f}, {:.4f}) (9.5, 9.5, 9.5, 9.5)\n'


class Changer:
    """Gives modules another form; thread-safe. `form` None: as they are."""

    def __init__(self, folder):
        self.folder, self.lock = folder, threading.Lock()
        self.form = self.steps = None
        self.is_exact = False
        self.made = self.refused = 0
        self.done = {}

    def set(self, form, steps=None, is_exact=False):
        self.form, self.steps, self.is_exact = form, steps, is_exact
        self.done = {}

    def changed(self, data):
        """SPIR-V of the form; what was given, if there is none."""
        with self.lock:
            if self.is_exact:
                data = rewrite.without_contraction(data)
            if self.form is None:
                return data
            path, to = (os.path.join(self.folder, n) for n in ('old', 'new'))
            with open(path, 'wb') as f:
                f.write(data)
            name = hashlib.sha256(data + b'%d' % self.form).digest()
            form = Form(path, int.from_bytes(name[:6], 'little'))
            steps = form.steps if self.steps is None else \
                min(self.steps, form.steps)
            done = form.write(to, steps)
            if done is None:
                self.refused += 1
                return data
            self.made += 1
            with open(to, 'rb') as f:
                new = f.read()
            self.done[name.hex()[:8]] = done, data, new
            return new

    def __str__(self):
        """What was done since set()."""
        return '; '.join(' '.join(d[0]) for d in self.done.values())

    def keep(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        for key, (_, old, new) in self.done.items():
            for end, data in (('spv', old), ('other.spv', new)):
                with open(os.path.join(folder, f'{name}.{key}.{end}'),
                          'wb') as f:
                    f.write(data)


class Answer(socketserver.StreamRequestHandler):
    """To the layer."""

    def handle(self):
        size_B = struct.unpack('=I', self.rfile.read(4))[0]
        data = self.rfile.read(size_B)
        new = self.server.changer.changed(data)
        self.wfile.write(struct.pack('=I', len(new)) + new)


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A program that was ended while it waited has nothing to say."""


class Piglit:
    """Shader tests on a generation."""

    def __init__(self, args, folder, changer):
        self.folder, self.changer = folder, changer
        where = os.path.join(folder, 'socket')
        self.server = Server(where, Answer)
        self.server.changer = changer
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()
        manifest = {'file_format_version': '1.0.0', 'layer': {
            'name': LAYER, 'type': 'GLOBAL', 'api_version': '1.3.0',
            'library_path': str(args.build / 'tests/fuzz/librewrite_layer.so'),
            'implementation_version': '1', 'description': 'other forms'}}
        with open(os.path.join(folder, 'layer.json'), 'w',
                  encoding='utf-8') as f:
            json.dump(manifest, f)
        self.env = {**os.environ, 'VK_LAYER_PATH': folder,
                    'VK_INSTANCE_LAYERS': LAYER, 'REWRITE_SOCKET': where,
                    'PIGLIT_PLATFORM': 'surfaceless_egl',
                    # A cache would hand out what an earlier form became.
                    'MESA_SHADER_CACHE_DISABLE': 'true'}

    def copy(self, path, number):
        """A test that says pixels, too, in a file of its own."""
        text = Path(path).read_text(encoding='utf-8', errors='replace')
        places = [(i + 0.5) / 12 for i in range(12)]
        to = os.path.join(self.folder, f'{number}.shader_test')
        with open(to, 'w', encoding='utf-8') as f:
            f.write(text.rstrip('\n') + '\n' + ''.join(
                PROBE.format(x, y) for x in places for y in places))
        return to

    def run(self, runner, files, gen):
        """[what it says of each]."""
        command = [RUNNERS / runner, *files, '-auto', '-fbo']
        command += ['-report-subtests'] * (len(files) > 1)
        env = {**self.env, 'SAFFRON_DEVICE': 'sim:' + gen}
        text, code = '', 'no end in time'
        # On a busy machine a second one may end.
        for _ in range(2):
            try:
                done = subprocess.run(
                    command, env=env, stdin=subprocess.DEVNULL,
                    capture_output=True, check=False, encoding='utf-8',
                    errors='replace', timeout=LIMIT_S + 10 * len(files))
                text, code = done.stdout, done.returncode
                break
            except subprocess.TimeoutExpired:
                if len(files) > 1:
                    break
        if len(files) == 1:
            return [STARTED.sub('', text) +
                    (f'ended with {code}\n' if code not in (0, 1) else '')]
        _, *parts = STARTED.split(text)
        said = dict(zip(map(int, parts[::2]), parts[1::2]))
        # How tests ended that one process did not get through, each says.
        return [said[k + 1] if k + 1 in said and len(said) == len(files)
                else self.run(runner, [f], gen)[0]
                for k, f in enumerate(files)]

    def runs(self, paths, gen, forms):
        """[(path, form, how it differs; None: it did not draw)] of tests that
        one program runs."""
        files = [self.copy(p, k) for k, p in enumerate(paths)]
        runner = runner_of(paths[0])
        self.changer.set(None)
        before = self.run(runner, files, gen)
        found = [(p, None, None) for p, b in zip(paths, before)
                 if 'Observed' not in b]
        for form in forms:
            self.changer.set(form)
            after = self.run(runner, files, gen)
            for path, file, a, b in zip(paths, files, before, after):
                if 'Observed' in a and a != b:
                    found.append((path, form,
                                  self.least(runner, file, gen, form)))
        return [f for f in found if f[1] is None or f[2]]

    def least(self, runner, file, gen, form):
        """Lines about the fewest steps with which a test differs, exactly."""
        self.changer.set(None, is_exact=True)
        want = self.run(runner, [file], gen)[0]
        for steps in (0, 1, 2, 3, 4, 6, 8, 12, 18, 24, 30):
            self.changer.set(form, steps, is_exact=True)
            got = self.run(runner, [file], gen)[0]
            if got != want:
                return f'{self.changer}: {first_difference(got, want)}'
        return None


def runner_of(path):
    """The program for a shader test, by what it requires."""
    text = Path(path).read_text(encoding='utf-8', errors='replace')
    found = re.search(r'^\s*GLSL\s*ES\s*>=\s*(\d)', text, re.M) or \
        re.search(r'^\s*GL\s*ES\s*>=\s*(\d)', text, re.M)
    if not found:
        return 'shader_runner'
    return 'shader_runner_gles2' if found[1] in '12' and not re.search(
        r'ES\s*>=\s*3', text) else 'shader_runner_gles3'


def first_difference(got, want):
    a, b = got.split('\n'), want.split('\n')
    pairs = [(x, y) for x, y in zip(a, b) if x != y]
    if not pairs:
        return f'{len(a)} lines, beside {len(b)}'
    return f'{pairs[0][0].strip()}, beside {pairs[0][1].strip()}'


def files_below(paths, error):
    """(shader tests, other shaders)."""
    tests, others = [], []
    for path in paths:
        if not path.exists():
            error(f'{path}: no such file')
        for file in sorted(path.rglob('*')) if path.is_dir() else [path]:
            if file.suffix == '.shader_test':
                tests.append(file)
            elif file.suffix[1:] in shader_files.ENDINGS and file.is_file():
                others.append(file)
            elif not path.is_dir():
                error(f'{path}: a name that ends otherwise than shaders do')
    return tests, others


class Counts:
    """Of the summary."""

    def __init__(self, args):
        self.args, self.run, self.skipped, self.wrong = args, 0, 0, 0
        self.progress = Progress('shaders')

    def show(self):
        self.progress.show(
            self.run, f', {self.wrong} differ, {self.skipped} skipped')

    def skip(self, path, why):
        self.skipped += 1
        if self.args.verbose:
            self.progress.end()
            print(f'skip {path}: {why}', flush=True)

    def differs(self, changer, path, gen, form, how):
        self.wrong += 1
        self.progress.end()
        print(f'{path}: {gen}, form {form}: {how}', flush=True)
        if self.args.keep:
            changer.keep(self.args.keep, f'{path.stem}-{form}-{gen}')


def run_tests(tests, args, folder, changer, counts):
    forms = range(args.first, args.first + args.forms)
    piglit = Piglit(args, folder, changer)
    by_runner = {}
    for path in tests:
        by_runner.setdefault(runner_of(path), []).append(path)
    for gen in args.gen.split(','):
        for paths in by_runner.values():
            for k in range(0, len(paths), BATCH):
                part = paths[k:k + BATCH]
                found = piglit.runs(part, gen, forms)
                counts.run += len(part)
                for path, form, how in found:
                    if form is None:
                        counts.run -= 1
                        counts.skip(path, 'it does not draw')
                    else:
                        counts.differs(changer, path, gen, form, how)
                counts.show()


def run_files(files, args, folder, changer, counts):
    for gen in args.gen.split(','):
        runner = shader_files.Runner(argparse.Namespace(build=args.build,
                                                        gen=gen))
        for group in shader_files.groups(files):
            try:
                found = one_group(group, args, runner, folder, changer)
            except shader_files.Skip as e:
                counts.skip(group[0], e)
                continue
            counts.run += 1
            if found:
                counts.differs(changer, group[0], gen, *found)
            counts.show()


def one_group(group, args, runner, folder, changer):
    """(form, how) of the first form that differs; None: none does."""
    pipeline = shader_files.Pipeline(group, folder)
    changer.set(None)
    before = pipeline.run(runner, changer.changed)
    for form in range(args.first, args.first + args.forms):
        changer.set(form)
        if pipeline.run(runner, changer.changed) == before:
            continue
        changer.set(None, is_exact=True)
        want = pipeline.run(runner, changer.changed)
        changer.set(form, is_exact=True)
        got = pipeline.run(runner, changer.changed)
        if got != want:
            return form, f'{changer}: {shader_files.difference(got, want)}'
    return None


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    p.add_argument('--gen', default='skl')
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--forms', type=int, default=1)
    p.add_argument('--first', type=int, default=0)
    p.add_argument('--keep')
    p.add_argument('-v', '--verbose', action='store_true',
                   help='say what is skipped, and why')
    p.add_argument('paths', type=Path, nargs='+', metavar='PATH')
    args = p.parse_args()
    args.build = args.build.resolve()
    return args, files_below(args.paths, p.error)


def main():
    """0: none differs, and some ran."""
    args, (tests, others) = arguments()
    if tests and not (RUNNERS / 'shader_runner').exists():
        print('no piglit')
        return SKIPPED
    counts = Counts(args)
    with tempfile.TemporaryDirectory() as folder:
        changer = Changer(folder)
        try:
            if tests:
                run_tests(tests, args, folder, changer, counts)
            run_files(others, args, folder, changer, counts)
        except KeyboardInterrupt:
            counts.progress.end()
            print('interrupted')
    counts.progress.end()
    print(f'{counts.run} shaders on {args.gen}, {changer.made} modules in '
          f'other forms ({changer.refused} more were not valid): '
          f'{counts.wrong} differ, {counts.skipped} skipped')
    return 1 if counts.wrong or not counts.run else 0


if __name__ == '__main__':
    sys.exit(main())
