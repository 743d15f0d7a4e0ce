#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels that are refused: what of sums.spvasm is replaced, by what, and
the words of the message.

usage: test_kernel_refused.py SPIRV-AS SPIRV_CHECK sums.spvasm
"""
import os
import re
import subprocess
import sys
import tempfile

ROWS = [
    ('OpMemoryModel Physical64 OpenCL', 'OpMemoryModel Physical64 GLSL450',
     'invalid', 'memory model is not OpenCL'),
    ('OpCapability Int8', 'OpCapability Int8\nOpCapability ImageBasic',
     'unsupported', 'capability ImageBasic'),
    ('OpCapability Int8', 'OpCapability Int8\nOpCapability GenericPointer',
     'unsupported', 'capability GenericPointer'),
    ('ContractionOff', 'SubgroupSize 8', 'unsupported',
     'execution mode SubgroupSize'),
    ('BuiltIn GlobalInvocationId', 'BuiltIn GlobalSize', 'unsupported',
     'built-in GlobalSize'),
    (' fmax ', ' hypot ', 'unsupported', 'OpenCL.std instruction'),
    ('OpReturnValue ', 'OpReturn ; ', 'invalid', 'OpReturn in a function'),
]


def main():
    assembler, check, module = sys.argv[1:4]
    with open(module, encoding='utf-8') as f:
        text = f.read()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'm.spv')
        for old, new, kind, message in ROWS:
            assert old in text, old
            subprocess.run([assembler, '--target-env', 'spv1.1', '-o', path,
                            '-'], input=text.replace(old, new, 1).encode(),
                           check=True)
            out = subprocess.run([check, path], capture_output=True,
                                 check=False).stdout.decode()
            if not re.match(f'{kind} at [1-9]', out) or message not in out:
                print(f'FAIL {new!r}: {out!r}')
                failures += 1
    print(f'{len(ROWS)} rows, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
