#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the structurizer makes of random graphs is valid SPIR-V.

Usage: test_structurize_spirv.py STRUCTURIZE_SPIRV [GRAPHS [SEED]]
"""

import subprocess
import sys


def main():
    text = subprocess.run(sys.argv[1:2] + (sys.argv[2:] or ['200']),
                          check=True, capture_output=True).stdout
    binary = subprocess.run(['spirv-as', '--target-env', 'spv1.3', '-', '-o',
                             '-'], input=text, check=True,
                            capture_output=True).stdout
    subprocess.run(['spirv-val', '--target-env', 'spv1.3', '-'],
                   input=binary, check=True)


if __name__ == '__main__':
    main()
