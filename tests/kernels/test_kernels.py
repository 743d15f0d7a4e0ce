# SPDX-License-Identifier: MIT
"""The kernels' results, through stock libGL on our driver: each shader test
probes what the CPU has computed. Exits with 77 where piglit is not installed.

usage: test_kernels.py BUILD GEN
"""
import os
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import zink  # pylint: disable=wrong-import-position

RUNNER = '/usr/lib/x86_64-linux-gnu/piglit/bin/shader_runner'


def main(build, gen):
    if not Path(RUNNER).exists():
        print('piglit is not installed')
        return 77
    icd = str(Path(build) / 'src/intel/vulkan/saffron_icd.json')
    env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen, VK_DRIVER_FILES=icd,
               VK_ICD_FILENAMES=icd, PIGLIT_PLATFORM='surfaceless_egl',
               **zink.variables())
    tests = sorted(Path(__file__).parent.glob('*.shader_test'))
    bad = 0
    for test in tests:
        out = subprocess.run([RUNNER, test, '-auto', '-fbo'], env=env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=120,
                             check=False).stdout.decode(errors='replace')
        if '"result": "pass"' not in out:
            bad += 1
            print('%s:\n%s' % (test.stem, out))
    print('%d passed, %d failed' % (len(tests) - bad, bad))
    return bad != 0 or not tests


sys.exit(main(*sys.argv[1:]))
