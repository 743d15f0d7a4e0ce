#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the structurizer makes of graphs is valid SPIR-V: all graphs of up to
4 blocks, and 200 random ones; or, with numbers, all of up to BLOCKS blocks and
GRAPHS random ones in modules of 1000.

Usage: test_structurize_spirv.py STRUCTURIZE_SPIRV [BLOCKS [GRAPHS [SEED]]]
"""

import subprocess
import sys


def judge(*args):
    """The number of functions, all of which are valid."""
    text = subprocess.run(args, check=True, capture_output=True).stdout
    binary = subprocess.run(['spirv-as', '--target-env', 'spv1.3', '-', '-o',
                             '-'], input=text, check=True,
                            capture_output=True).stdout
    subprocess.run(['spirv-val', '--target-env', 'spv1.3', '-'],
                   input=binary, check=True)
    return text.count(b'OpFunctionEnd')


def main():
    tool = sys.argv[1]
    blocks, graphs, seed = [int(x) for x in sys.argv[2:]] + [4, 200, 1][
        len(sys.argv) - 2:]
    for n in range(1, blocks + 1):
        print(f'all of {n} blocks: {judge(tool, "--all", str(n))} valid')
    done = 0
    while done < graphs:
        done += judge(tool, str(min(1000, graphs - done)),
                      str(seed + 7919 * done))
    print(f'random: {done} valid')


if __name__ == '__main__':
    main()
