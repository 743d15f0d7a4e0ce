#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the HTML of docs/ with Sphinx; a warning is an error.

usage: make_html.py SPHINX_BUILD VERSION OUT GENERATED...

GENERATED are the pages that tables of the sources write; they and the files
of this folder are copied beside each other first. OUT is made anew.
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    sphinx, version, out, *generated = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for page in [*HERE.glob('*.rst'), HERE / 'conf.py', *generated]:
            shutil.copy(page, folder)
        return subprocess.run(
            [sphinx, '-b', 'html', '-W', '--keep-going', '-q', '-D',
             f'release={version}', '-d', f'{folder}/doctrees', folder, out],
            check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
