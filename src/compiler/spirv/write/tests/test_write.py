# SPDX-License-Identifier: MIT
"""What is written as SPIR-V is valid and does what it did.

usage: test_write.py SPIRV-VAL SPIRV-WRITE GLSLANG FILE...
"""
import pathlib
import subprocess
import sys
import tempfile

# So many modules are validated, spread over all that are written.
VALIDATED = 150

LINES = """#version 450
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;
void main()
{
   o = c * 2.0;
   if (c.x > 1.0)
      o += vec4(c.y, sin(c.z), 0.0, 1.0);
}
"""


def main():
    val, write, glslang, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        out = scratch / 'out'
        out.mkdir()
        (scratch / 'lines.frag').write_text(LINES)
        lines = scratch / 'lines.spv'
        subprocess.run([glslang, '-g', '-V', '--quiet', '--target-env',
                        'vulkan1.1', '-o', lines, scratch / 'lines.frag'],
                       check=True)
        done = subprocess.run(
            [write, '-o', out, '-n', '100', '-a', *files, lines],
            stdout=subprocess.PIPE, text=True)
        print(done.stdout, end='')
        if done.returncode or ', 0 refused' not in done.stdout:
            sys.exit('not all shaders are written as they are')
        modules = sorted(out.iterdir())
        if len(modules) < VALIDATED:
            sys.exit(f'{len(modules)} modules')
        step = len(modules) // VALIDATED
        bad = 0
        for module in modules[::step] + modules[-1:]:
            r = subprocess.run([val, '--target-env', 'vulkan1.1', module],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
            if r.returncode:
                bad += 1
                print(f'{module.name}: {r.stdout}')
        if bad:
            sys.exit(f'{bad} modules are not valid')


main()
