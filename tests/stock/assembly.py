# SPDX-License-Identifier: MIT
"""Assembly programs of a stock driver, which run in the alternate
floating-point mode: 0^0 is 1, RSQ is of the absolute value, and neither LG2
nor RCP of zero is infinite (assembly.shader_test; with infinities or NaNs its
products with zero would not be zero).

   assembly.py

Exits with 77 where piglit or a driver is not installed.
"""

import os
import subprocess
import sys
from pathlib import Path

import compiled

HERE = Path(__file__).resolve().parent
SKIP = 77


def main():
    build = Path(os.environ.get('SAFFRON_BUILD_DIR', HERE.parent.parent /
                                'build'))
    runner = compiled.PIGLIT / 'bin/shader_runner'
    if not runner.exists():
        return SKIP
    result = 0
    for gen in ('ivb', 'hsw', 'bdw', 'skl'):
        env = dict(os.environ, LD_PRELOAD=str(
            build / 'src/intel/drm-shim/libsaffron_drm_shim.so'),
                   SAFFRON_DEVICE='sim:' + gen,
                   PIGLIT_PLATFORM='surfaceless_egl')
        done = subprocess.run([runner, HERE / 'assembly.shader_test', '-auto',
                               '-fbo'], env=env, capture_output=True,
                              text=True, check=False)
        if '"skip"' in done.stdout:
            return SKIP
        if '"pass"' not in done.stdout:
            print('%s:\n%s%s' % (gen, done.stdout, done.stderr))
            result = 1
    return result


if __name__ == '__main__':
    sys.exit(main())
