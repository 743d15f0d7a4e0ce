#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""state.py: two runs are the same, what differs is named.

usage: test_state.py BUILD PROGRAM
"""
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = Path(__file__).with_name('state.py')


def run(*arguments):
    """Exit code and output of the tool."""
    done = subprocess.run([sys.executable, TOOL, *arguments], text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    """See the head of the file."""
    build, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix='saffron-states-') as name:
        folder = Path(name)
        for file in ('a', 'b'):
            code, text = run('collect', '--build=' + build, '--gens=skl,ivb',
                             '-o', folder / file, '--', program)
            assert code == 0, text
        lines = (folder / 'a').read_text('ascii').splitlines()
        assert {line.split()[0] for line in lines} == {'skl', 'ivb'}
        code, text = run('compare', folder / 'a', folder / 'b')
        assert code == 0, text
        # One packet of the last draw has something else in it.
        at = lines[-1].index(' raster=') + len(' raster=')
        lines[-1] = lines[-1][:at] + 'x' + lines[-1][at + 1:]
        (folder / 'b').write_text('\n'.join(lines), 'ascii')
        code, text = run('compare', folder / 'a', folder / 'b')
        assert code == 1 and '(ivb): raster\n' in text, text
        (folder / 'b').write_text('\n'.join(lines[:-1]), 'ascii')
        assert run('compare', folder / 'a', folder / 'b')[0] == 1
        code, text = run('collect', '--build=' + build, '--gens=skl',
                         '-o', folder / 'a', '--', '/bin/true')
        assert code == 1, 'nothing is drawn: ' + text


if __name__ == '__main__':
    main()
