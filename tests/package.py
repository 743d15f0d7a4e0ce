#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the Debian packages of the sources that git knows, as they are here,
and looks at them: lintian has no complaint, and what is installed works without
a checkout (tests/test_installed.py).

usage: package.py [FOLDER]     where the packages stay; nowhere otherwise

Needs dpkg-dev, debhelper, lintian, and what debian/control builds with.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ('mesa-saffron-vulkan-driver', 'saffron-tools', 'libsaffron-d3d0',
            'libsaffron-d3d-dev')


def export(target):
    """The sources."""
    files = subprocess.run(
        ['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others',
         '--exclude-standard'], stdout=subprocess.PIPE, check=True).stdout
    there = b'\0'.join(f for f in files.split(b'\0')
                       if f and os.path.lexists(ROOT / os.fsdecode(f)))
    tar = subprocess.run(['tar', '-C', ROOT, '--null', '-T', '-', '-cf', '-'],
                         input=there, stdout=subprocess.PIPE,
                         check=True).stdout
    target.mkdir(parents=True)
    subprocess.run(['tar', '-C', target, '-xf', '-'], input=tar, check=True)


def step(*words, **more):
    print(' '.join(map(str, words)), flush=True)
    if subprocess.run(words, check=False, **more).returncode:
        sys.exit(f'package.py: {words[0]} fails')


def make(folder):
    """Builds in a folder and judges what comes out; packages are its files."""
    sources = folder / 'saffron'
    export(sources)
    options = f'parallel={os.cpu_count()} ' + \
        os.environ.get('DEB_BUILD_OPTIONS', '')
    with open(folder / 'build.log', 'w', encoding='utf-8') as log:
        step('dpkg-buildpackage', '-us', '-uc', cwd=sources, stdout=log,
             stderr=log, env=dict(os.environ, DEB_BUILD_OPTIONS=options,
                                  PATH='/usr/bin:' + os.environ['PATH']))
    changes, = folder.glob('*.changes')
    step('lintian', '--fail-on=error,warning', changes)
    root = folder / 'root'
    for name in PACKAGES:
        package, = folder.glob(f'{name}_*.deb')
        print(f'{name}: {package.stat().st_size / 1e6:.1f} MB')
        step('dpkg-deb', '-x', package, root)
    step(sys.executable, ROOT / 'tests/test_installed.py', root)


def main():
    if len(sys.argv) > 1:
        make(Path(sys.argv[1]).resolve())
        return
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))


if __name__ == '__main__':
    main()
