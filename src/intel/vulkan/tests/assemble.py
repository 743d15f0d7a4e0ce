# SPDX-License-Identifier: MIT
"""SPIR-V assembly to a C array, for what no GLSL makes.

   assemble.py SPIRV-AS SPIRV-VAL INPUT ARRAY OUTPUT

A module that breaks a rule which drivers have to bear, and not each version of
spirv-val checks, says so in a line "; not validated: REASON".
"""
import pathlib
import re
import struct
import subprocess
import sys


def main():
    assembler, validator, source, array, out = sys.argv[1:]
    module = pathlib.Path(out + '.spv')
    env = ['--target-env', 'vulkan1.2']
    subprocess.run([assembler, *env, '-o', module, source], check=True)
    text = pathlib.Path(source).read_text(encoding='utf-8')
    if not re.search(r'^; not validated: \S', text, re.M):
        # maintenance4 has LocalSizeId, of no core version before 1.3.
        subprocess.run([validator, *env, '--allow-localsizeid', module],
                       check=True)
    data = module.read_bytes()
    words = struct.unpack('<%uI' % (len(data) // 4), data)
    with open(out, 'w', encoding='ascii') as f:
        f.write('static const unsigned %s[] = {\n' % array)
        for word in words:
            f.write('   0x%08xu,\n' % word)
        f.write('};\n')


if __name__ == '__main__':
    main()
