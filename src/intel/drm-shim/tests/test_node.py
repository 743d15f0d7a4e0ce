#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stock zink over our driver draws on a DRM node, as on a real machine.

usage: test_node.py BIN_SAFFRON BUILD GEN SHADER_RUNNER ICD FILE...

Runs each shader_test through `saffron shim`, whose node the driver (ICD, its
JSON file) opens like any other; with EGL's surfaceless platform and with
GBM. It passes when piglit says so, the GPU drew, and reported no fault.
"""
import os
import subprocess
import sys

from test_stock import check, run

LIST = 'import os; print(*sorted(os.listdir("/dev/dri")))'


def main():
    saffron, build, gen, runner, icd, *files = sys.argv[1:]
    env = dict(os.environ, SAFFRON_BUILD_DIR=build)
    nodes = run(saffron, gen, env, sys.executable, '-c', LIST).stdout.split()
    render = [n for n in nodes if n.startswith('renderD')]
    if not render:
        sys.exit('the shim shows no node: ' + ' '.join(nodes))
    variables = subprocess.run(
        [os.path.join(os.path.dirname(saffron), 'zink-env')],
        stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    failed = 0
    for platform in ('surfaceless_egl', 'gbm'):
        zink = ['env', 'PIGLIT_PLATFORM=' + platform,
                *variables, 'VK_ICD_FILENAMES=' + icd, runner]
        for path in files:
            problem = check(saffron, gen, env, path, *zink)
            print('FAIL' if problem else 'PASS', platform,
                  os.path.basename(path))
            if problem:
                print(problem)
                failed += 1
    return 1 if failed or not files else 0


if __name__ == '__main__':
    sys.exit(main())
