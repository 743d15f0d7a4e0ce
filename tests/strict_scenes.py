#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What our driver submits obeys the chip's rules.

usage: strict_scenes.py --gen=GEN [--rules=LIST] -- PROGRAM [ARGUMENT...]

Runs a program on our driver and the simulated GPU in strict mode. Exit codes:
0 no rule is broken, 1 some are, 2 wrong usage, or the program fails or does
not draw.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile


def main():
    """See the head of the file."""
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--gen', required=True)
    parser.add_argument('--rules', default='',
                        help='as for bin/saffron run --rules')
    parser.add_argument('--want', default='draws',
                        choices=('draws', 'dispatches'),
                        help='what there must be of')
    parser.add_argument('program', nargs='+')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='saffron-strict-') as folder:
        log = os.path.join(folder, 'log')
        stats = os.path.join(folder, 'stats')
        env = dict(os.environ, SAFFRON_DEVICE='sim:' + args.gen,
                   SAFFRON_SIM_STRICT='report', SAFFRON_SIM_STRICT_LOG=log,
                   SAFFRON_SIM_RULES=args.rules, SAFFRON_SIM_STATS=stats)
        done = subprocess.run(args.program, capture_output=True, text=True,
                              errors='replace', check=False, env=env)
        if not os.path.exists(log) or not os.path.exists(stats):
            print(done.stdout + done.stderr + 'no log, or no statistics')
            return 2
        with open(log, encoding='utf-8') as lines:
            broken = lines.read().splitlines()
        with open(stats, encoding='utf-8') as f:
            count = json.load(f)[args.want]
    if done.returncode or not count:
        print(f'{done.stdout}{done.stderr}exit code {done.returncode}, '
              f'{count} {args.want}')
        return 2
    print('\n'.join(broken))
    print(f'{count} {args.want}, {len(broken)} rules broken')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
