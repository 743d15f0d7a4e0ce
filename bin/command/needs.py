# SPDX-License-Identifier: MIT
"""What the commands need of the system: dependencies.txt."""
import glob
import os
import shutil
import subprocess
import sys

from command.errors import Failure, say

SETS = ('build', 'run', 'test')


class Row:
    def __init__(self, line):
        group, self.package, self.probe, self.purpose = line.split('\t')
        self.group = group.rstrip('*')
        # The command does without it.
        self.optional = group.endswith('*')


def quiet(*words, text=None):
    """Whether a command ends well."""
    return subprocess.run(words, input=text, text=True, check=False,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def program(name):
    """Its path; Debian has some that are root's."""
    return shutil.which(name, path=os.environ.get('PATH', '') +
                        ':/usr/sbin:/sbin')


def library(name):
    """Of the dynamic linker."""
    done = subprocess.run([program('ldconfig') or 'false', '-p'], text=True,
                          stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL)
    return name in done.stdout


def python_module(name):
    """Of the Python that runs Meson."""
    python = shutil.which('python3', path='/usr/bin:' +
                          os.environ.get('PATH', ''))
    return bool(python) and quiet(python, '-c', f'import {name}')


def header(name):
    return quiet(*(os.environ.get('CC') or 'cc').split(), '-E', '-',
                 text=f'#include <{name}>\n')


# Kinds of probes, as dependencies.txt explains them.
PROBES = {
    'program': program,
    'module': lambda name: quiet('pkg-config', '--exists', name),
    'python': python_module,
    'header': header,
    'library': library,
    'file': glob.glob,
}


def probe(text):
    """Whether a system that is no Debian has it."""
    kind, name = text.split(':', 1)
    try:
        return bool(PROBES[kind](name))
    except OSError:
        return False


class Needs:
    """Of a table's rows, on Debian by packages, elsewhere by probes."""

    def __init__(self, place, table=None, dpkg=None):
        table = table or place.file('dependencies.txt', 'bin/dependencies.txt')
        with open(table, encoding='utf-8') as f:
            self.rows = [Row(line.rstrip('\n')) for line in f
                         if line.strip() and line[0] != '#']
        self.dpkg = bool(shutil.which('dpkg-query')) if dpkg is None else dpkg

    def of(self, sets):
        """The rows of these, set by set."""
        return [r for s in sets for r in self.rows if r.group == s]

    def missing(self, *sets):
        """Those rows that are not there. What a command does without is none
        if this Debian has no such package."""
        rows = self.of(sets)
        if not self.dpkg:
            return [r for r in rows if not probe(r.probe)]
        done = subprocess.run(['dpkg-query', '-W', '-f',
                               '${db:Status-Status} ${Package}\n'],
                              stdout=subprocess.PIPE, text=True, check=False)
        there = set(done.stdout.splitlines())
        return [r for r in rows if f'installed {r.package}' not in there and
                not (r.optional and
                     not quiet('apt-cache', 'show', r.package))]

    def describe(self, rows):
        """For a reader, a line each."""
        if self.dpkg:
            return '\n'.join(f'  {r.package:<24} {r.purpose}' for r in rows)
        return '\n'.join(f'  {r.probe.split(":", 1)[1]:<24} {r.purpose} '
                         f'(Debian: {r.package})' for r in rows)

    def require(self, *sets):
        """What is missing is installed where that can be. Without something
        of 'build' or 'run' there is an end; of others it is said, and what
        wants them is skipped or fails."""
        rows = self.missing(*sets)
        if not rows:
            return
        sudo = []
        if os.geteuid() != 0:
            sudo = ['sudo'] if sys.stdin.isatty() else ['sudo', '-n']
        if self.dpkg and (not sudo or self.may(sudo)):
            install(sudo, [r.package for r in rows])
            return
        say('saffron: this system lacks:\n' + self.describe(rows))
        if any(r.group in ('build', 'run') and not r.optional for r in rows):
            raise Failure('install these; root, or who may use sudo, has it '
                          'done here on Debian')

    @staticmethod
    def may(sudo):
        """Whether there is sudo, and the user may use it."""
        return bool(shutil.which('sudo')) and subprocess.run(
            [*sudo, 'true'], check=False,
            stderr=subprocess.DEVNULL).returncode == 0


def install(sudo, packages):
    """On Debian."""
    say(f'installing {len(packages)} packages: {" ".join(packages)}')
    for words in (['apt-get', 'update', '-q'],
                  ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get',
                   'install', '-y', '--no-install-recommends', *packages]):
        done = subprocess.run([*sudo, *words], text=True, check=False,
                              stdout=subprocess.PIPE, errors='replace',
                              stderr=subprocess.STDOUT)
        if done.returncode:
            say('\n'.join(done.stdout.splitlines()[-20:]))
            raise Failure('could not install: ' + ' '.join(packages))
