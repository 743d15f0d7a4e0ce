#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The distribution's own driver (iris, crocus) draws on the simulated GPU.

usage: test_stock.py BIN_SAFFRON BUILD GEN SHADER_RUNNER FILE...

Runs each shader_test through `saffron shim`. It passes when piglit says so,
the GPU drew, and reported no fault. Exits with 77 (skipped) when stock Mesa
has no driver for it here.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def run(saffron, gen, env, *command):
    return subprocess.run(
        [saffron, 'shim', '--gen=' + gen, '--', *command], env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


def check(saffron, gen, env, path, *runner):
    """None, or what went wrong."""
    with tempfile.TemporaryDirectory() as tmp:
        stats = os.path.join(tmp, 'stats.json')
        done = run(saffron, gen, dict(env, SAFFRON_SIM_STATS=stats), *runner,
                   path, '-auto', '-fbo')
        if '"result": "pass"' not in done.stdout or done.returncode:
            return done.stdout
        if 'saffron-sim:' in done.stdout:
            return 'a fault:\n' + done.stdout
        with open(stats) as f:
            if json.load(f)['draws'] == 0:
                return 'nothing was drawn by the simulated GPU'
    return None


def main():
    saffron, build, gen, runner, *files = sys.argv[1:]
    env = dict(os.environ, SAFFRON_BUILD_DIR=build,
               PIGLIT_PLATFORM='surfaceless_egl', EGL_PLATFORM='surfaceless')
    info = run(saffron, gen, env, 'eglinfo').stdout
    driver = 'crocus' if gen in ('ivb', 'hsw') else 'iris'
    if not re.search(r'EGL driver name: ' + driver, info):
        if driver + '_dri.so' in ' '.join(
                os.listdir('/usr/lib/x86_64-linux-gnu/dri')):
            sys.exit('stock Mesa does not choose ' + driver + ':\n' + info)
        sys.exit(77)
    failed = 0
    for path in files:
        problem = check(saffron, gen, env, path, runner)
        print('FAIL' if problem else 'PASS', os.path.basename(path))
        if problem:
            print(problem)
            failed += 1
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
