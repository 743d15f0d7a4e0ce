#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What draws are made with, to compare two builds of the driver by.

   state.py collect --build=DIR -o FILE [--gens=skl,bdw,hsw,ivb] -- PROGRAM ...
   state.py compare [--limit=N] A B

`collect` runs a program on our Vulkan driver and the simulated GPU of each
generation, in turn. For each draw FILE gets the generation and the line of
SAFFRON_SIM_STATES: a hash of each packet that the chip has at 3DPRIMITIVE,
with what it points to in place of addresses. How many packets it took does
not matter; so what sends fewer must leave FILE as it is.

`compare` prints the draws that differ, and in which packets.

Exit codes: 0 collected; or nothing differs. 1 something differs, the program
failed or nothing was drawn. 2 wrong use.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

GENS = 'skl,bdw,hsw,ivb'


def states_of(gen, build, program):
    """The lines of one run, and the exit code of the program."""
    icd = Path(build).resolve() / 'src/intel/vulkan/saffron_icd.json'
    with tempfile.TemporaryDirectory(prefix='saffron-states-') as folder:
        states = Path(folder) / 'states'
        env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen,
                   VK_ICD_FILENAMES=str(icd), VK_DRIVER_FILES=str(icd),
                   SAFFRON_SIM_STATES=str(states))
        code = subprocess.run(program, env=env, check=False,
                              stdout=subprocess.DEVNULL).returncode
        lines = states.read_text('ascii').splitlines() \
            if states.exists() else []
    return lines, code


def collect(args):
    """See the head of the file."""
    failed = False
    with open(args.output, 'w', encoding='ascii') as out:
        for gen in args.gens.split(','):
            lines, code = states_of(gen, args.build, args.program)
            failed |= code != 0 or not lines
            out.writelines(f'{gen} {line}\n' for line in lines)
            print(f'{gen}: {len(lines)} draws, exit code {code}')
    return failed


def differences(before, after):
    """The names of what differs between two lines."""
    old = before.split()
    new = after.split()
    return ([a.split('=')[0] for a, b in zip(old, new) if a != b] or
            ['number of words'])


def compare(args):
    """See the head of the file."""
    with open(args.before, encoding='ascii') as a, \
            open(args.after, encoding='ascii') as b:
        before, after = a.read().splitlines(), b.read().splitlines()
    bad = [(i, x, y) for i, (x, y) in enumerate(zip(before, after)) if x != y]
    for i, x, y in bad[:args.limit]:
        print(f'draw {i} ({x.split()[0]}): {", ".join(differences(x, y))}')
    if len(before) != len(after):
        print(f'{len(before)} draws before, {len(after)} after')
    print(f'{len(before)} draws, {len(bad)} differ')
    return bool(bad) or len(before) != len(after)


def main():
    """See the head of the file."""
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0])
    commands = parser.add_subparsers(dest='command', required=True)
    sub = commands.add_parser('collect')
    sub.add_argument('--build', required=True)
    sub.add_argument('-o', dest='output', required=True)
    sub.add_argument('--gens', default=GENS)
    sub.add_argument('program', nargs='+')
    sub = commands.add_parser('compare')
    sub.add_argument('--limit', type=int, default=20)
    sub.add_argument('before')
    sub.add_argument('after')
    args = parser.parse_args()
    return int({'collect': collect, 'compare': compare}[args.command](args))


if __name__ == '__main__':
    sys.exit(main())
