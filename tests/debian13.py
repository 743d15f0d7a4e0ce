#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the driver on a fresh Debian 13 and draws with its Mesa; the back end
of `bin/saffron test --debian13`.

usage: debian13.py --root=DIR [--suite=trixie] [--piglit=N/M]

DIR keeps a root that debootstrap makes, with what `bin/saffron packages build
run` lists and the tests want, and the build; it is used again. The sources are
those that git knows, as they are here. There
  1. everything but the unit tests is built, with warnings as errors;
  2. the tests of the generators run with that system's vk.xml;
  3. zink over the driver draws the demo on each generation, and GL_RENDERER is
     the driver's for each kind of context;
  4. gears in windows of X11 are those of the driver (tests/pictures.py);
  5. every function of doubles in GLSL goes through that Mesa's libGL
     (tests/fp64/gl_doubles);
  6. Mesa's own drivers find each simulated GPU;
  7. with --piglit, that part of tests/piglit/ci-driver.txt and ci-stock.txt
     runs on each generation, our driver's with --strict; it installs piglit
     there.

Needs root, debootstrap, and the mirror that apt here is configured for. Exit
codes: 0 all passed, 1 not, 77 where no root can be made or the mirror does
not answer; the last line says which.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENS = {'skl': 'iris', 'bdw': 'iris', 'hsw': 'crocus', 'ivb': 'crocus'}
SKIPPED = 77
# As users build it, in half of the time; warnings are errors.
OPTIONS = '-Dwerror=true -Doptimization=1 -Ddebug=false'
# Of debootstrap and of apt's lists, with a mirror that is slow.
PATIENCE_s = 900
TESTS = ('waffle-utils', 'ccache', 'xvfb', 'xauth', 'x11-apps', 'faketime')


class Absent(Exception):
    """Why no root can be made here."""


def mirror(apt='/etc/apt'):
    """The first archive of Debian itself that apt is configured for."""
    files = [Path(apt, 'sources.list'),
             *sorted(Path(apt, 'sources.list.d').glob('*.list')),
             *sorted(Path(apt, 'sources.list.d').glob('*.sources'))]
    for path in files:
        text = path.read_text(encoding='utf-8') if path.exists() else ''
        for line in text.splitlines():
            found = re.match(r'(?:deb\s+(?:\[.*\]\s+)?|URIs:\s*)'
                             r'(https?://\S*/debian/?)(?:\s|$)', line)
            if found:
                return found[1].rstrip('/')
    raise Absent('apt has no mirror of Debian')


def check_can(suite):
    """The mirror; Absent if it, rights or programs are missing."""
    if os.geteuid() != 0:
        raise Absent('not root')
    for program in 'debootstrap', 'chroot', 'unshare':
        if not shutil.which(program, path='/usr/sbin:/sbin:/usr/bin:/bin'):
            raise Absent(f'no {program}')
    if subprocess.run(['unshare', '--mount', 'true'], check=False,
                      stderr=subprocess.DEVNULL).returncode:
        raise Absent('no name spaces of mounts')
    address = mirror()
    try:
        with urllib.request.urlopen(f'{address}/dists/{suite}/Release',
                                    timeout=20):
            return address
    except OSError as error:
        raise Absent(f'{suite} is not on the mirror: {error}') from error


def logged(command, log, **more):
    """The exit code of a command, None if it took too long; its output goes
    to a file, whose end is shown if it fails."""
    with open(log, 'w', encoding='utf-8') as f:
        try:
            code = subprocess.run(command, stdout=f, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, check=False,
                                  **more).returncode
        except subprocess.TimeoutExpired:
            code = None
    if code != 0:
        text = Path(log).read_text(encoding='utf-8', errors='replace')
        print(re.sub(r'https?://\S+', '(mirror)', text[-4000:]))
    return code


def checked(what, command, log, **more):
    """Ends the run if a command fails."""
    if logged(command, log, **more) != 0:
        sys.exit(f'debian13: {what} failed: {log}')


def wanted(what, command, log, **more):
    """Absent if a command fails that wants the mirror, and nothing of ours."""
    if logged(command, log, timeout=PATIENCE_s, **more) != 0:
        raise Absent(f'{what} failed: {log}')


class System:
    """A Debian in `place`, with files of ours beside it."""

    def __init__(self, place, suite):
        self.place = Path(place)
        self.root = self.place / 'root'
        self.suite = suite
        self.failed = 0

    def inside(self, script):
        """The command that runs a shell's script there."""
        mounts = (f'mount -t proc proc {self.root}/proc && '
                  f'mount --rbind /dev {self.root}/dev && '
                  f'mount -t tmpfs tmpfs {self.root}/tmp && '
                  f'exec chroot {self.root} /usr/bin/env -i LC_ALL=C.UTF-8 '
                  'HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin '
                  'DEBIAN_FRONTEND=noninteractive sh -c "$0"')
        return ['unshare', '--mount', 'sh', '-c', mounts, script]

    def make(self, address):
        """debootstrap, unless it is there."""
        if not (self.place / 'made').exists():
            shutil.rmtree(self.root, ignore_errors=True)
            self.place.mkdir(parents=True, exist_ok=True)
            wanted('debootstrap', ['debootstrap', '--variant=minbase',
                                   self.suite, self.root, address],
                   self.place / 'debootstrap.log',
                   env=dict(os.environ, PATH='/usr/sbin:/sbin:/usr/bin:/bin'))
            (self.place / 'made').touch()
        # As apt here reaches its mirror.
        shutil.copy('/etc/resolv.conf', self.root / 'etc/resolv.conf')
        with open(self.root / 'etc/apt/apt.conf.d/00host', 'w',
                  encoding='utf-8') as f:
            subprocess.run(['apt-config', 'dump', 'Acquire'], stdout=f,
                           check=True)

    def install(self, packages):
        """What is not there of these."""
        out = subprocess.run(
            self.inside("dpkg-query -W -f '${Status} ${Package}\\n'"),
            stdout=subprocess.PIPE, text=True, check=True).stdout
        there = {line.split()[-1] for line in out.splitlines()
                 if 'ok installed' in line}
        missing = [p for p in packages if p not in there]
        if missing:
            wanted('apt-get update', self.inside('apt-get update -q'),
                   self.place / 'apt-lists.log')
            checked('apt-get install', self.inside(
                # A run that was stopped may have left some in halves.
                'dpkg --configure -a && '
                'apt-get install -qy --no-install-recommends '
                '-o Acquire::Retries=3 ' + ' '.join(missing)),
                self.place / 'apt.log')

    def copy(self):
        """The sources, as they are here, with their times."""
        target = self.root / 'saffron'
        target.mkdir(exist_ok=True)
        files = subprocess.run(
            ['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others',
             '--exclude-standard'], stdout=subprocess.PIPE,
            check=True).stdout
        there = b'\0'.join(f for f in files.split(b'\0')
                           if f and os.path.lexists(ROOT / os.fsdecode(f)))
        tar = subprocess.run(['tar', '-C', ROOT, '--null', '-T', '-', '-cf',
                              '-'], input=there, stdout=subprocess.PIPE,
                             check=True).stdout
        subprocess.run(['tar', '-C', target, '--no-same-owner', '-xf', '-'],
                       input=tar, check=True)

    def build(self):
        """All but the tests; and, with what that has in the cache, the one
        that is a program of OpenGL."""
        for name, tests, target in (('build', 'false', ''), (
                'build-tests', 'true', 'tests/fp64/gl_doubles')):
            checked(name, self.inside(
                f'cd /saffron && {{ [ -f {name}/build.ninja ] || '
                f'CC="ccache gcc" meson setup {OPTIONS} -Dtests={tests} '
                f'{name}; }} && ninja -C {name} {target}'),
                self.place / f'{name}.log')

    def test(self, name, script, pattern=''):
        """One line: whether a script there ends well and prints the
        pattern."""
        done = subprocess.run(self.inside('cd /saffron && ' + script),
                              stdout=subprocess.PIPE, text=True, check=False,
                              stderr=subprocess.STDOUT, errors='replace',
                              stdin=subprocess.DEVNULL)
        passed = done.returncode == 0 and re.search(pattern, done.stdout)
        print(f'{"pass" if passed else "FAIL"}  {name}', flush=True)
        if not passed:
            print(done.stdout[-3000:])
            self.failed += 1

    def tests(self):
        self.test('the compiler and Mesa', 'gcc --version | head -1; '
                  'ls /usr/lib/*/libgallium-*')
        self.test('generators', 'python3 -B src/intel/vulkan/tests/'
                  'test_registry.py /usr/share/vulkan/registry/vk.xml')
        for gen, stock in GENS.items():
            self.test(f'zink, {gen}', f'bin/saffron demo --gen={gen} '
                      '--size=32x24 --out=/tmp', r'zink .*\(Saffron')
            self.test(f'versions of OpenGL, {gen}', '. /etc/os-release; '
                      f'bin/saffron run --gen={gen} -- env '
                      'EGL_PLATFORM=surfaceless python3 -B '
                      f'tests/test_versions.py docs/architecture.rst {gen}')
            self.test(f'built-in functions of doubles, {gen}',
                      f'bin/saffron run --gen={gen} -- '
                      'build-tests/tests/fp64/gl_doubles')
            self.test(f'{stock}, {gen}', f'bin/saffron shim --gen={gen} -- '
                      'wflinfo -p surfaceless_egl -a gl',
                      r'renderer string: Mesa .*(HD|Iris|Graphics)')
        for program in 'glxgears', 'es2gears_x11':
            self.test(f'window, {program}', 'python3 -B tests/pictures.py '
                      f'window {program}@skl')
        self.test('renderer', 'python3 -B tests/test_renderer.py '
                  '/saffron/build')

    def piglit(self, part):
        """Of the lists that CI has of Mesa 22.3's."""
        self.install(['piglit'])
        for gen in GENS:
            for tests, how in ('driver', '--strict'), ('stock', '--stock'):
                self.test(f'piglit {gen}, {tests}, {part}',
                          f'bin/saffron piglit --gen={gen} {how} '
                          f'--list=tests/piglit/ci-{tests}.txt --known '
                          f'--shard={part} --batch=50')


def packages():
    """Names of what it builds and runs with."""
    out = subprocess.run([ROOT / 'bin/saffron', 'packages', 'build', 'run'],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split()[0] for line in out.splitlines()]


def main():
    parser = argparse.ArgumentParser(
        prog='bin/saffron test --debian13', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--root', required=True)
    parser.add_argument('--suite', default='trixie')
    parser.add_argument('--piglit', metavar='N/M')
    args = parser.parse_args()
    system = System(args.root, args.suite)
    try:
        system.make(check_can(args.suite))
        system.install([*packages(), *TESTS])
    except Absent as why:
        print(f'skipped: no root of {args.suite} can be made here: {why}')
        return SKIPPED
    system.copy()
    system.build()
    system.tests()
    if args.piglit:
        system.piglit(args.piglit)
    print(f'debian13: {system.failed or "none"} failed')
    return 1 if system.failed else 0


if __name__ == '__main__':
    sys.exit(main())
