# SPDX-License-Identifier: MIT
"""Runs suites of the simulator, which record their programs
(sim/tests/eu/eu_record.h), into one file.

usage: pack_programs.py OUT SUITE...
"""
import os
import subprocess
import sys


def main(out, *suites):
    part = out + '.part'
    with open(part, 'wb'):
        pass
    env = dict(os.environ, SAFFRON_TEST_RECORD=os.path.abspath(part))
    for suite in suites:
        done = subprocess.run([suite], env=env, check=False,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f'pack_programs.py: {suite}: '
                     f'{done.stdout.decode()[-2000:]}')
    os.replace(part, out)


if __name__ == '__main__':
    main(*sys.argv[1:])
