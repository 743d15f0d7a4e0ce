# SPDX-License-Identifier: MIT
"""A trace of Mesa's own driver on each generation: the threads of a pixel and
of a vertex are found, and what the trace counts is what the GPU counted.

Exits with 77 where piglit or Mesa's driver for Intel GPUs is not installed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PIGLIT = Path('/usr/lib/x86_64-linux-gnu/piglit/bin/shader_runner')
TEST = """[require]
GLSL >= 1.30
[vertex shader passthrough]
[fragment shader]
#version 130
void main() { gl_FragColor = vec4(gl_FragCoord.xy / 256.0, 0.25, 1.0); }
[test]
clear color 0.0 0.0 0.0 0.0
clear
draw rect -1 -1 2 2
"""


def main(saffron):
    if not PIGLIT.exists():
        return 77
    env = dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl')
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shader, trace = folder / 'x.shader_test', folder / 'x.trace'
        shader.write_text(TEST)
        for gen in 'skl', 'bdw', 'hsw', 'ivb':
            stats = folder / 'stats.json'
            done = subprocess.run(
                [saffron, 'shim', '--gen=' + gen, f'--trace={trace}',
                 '--trace-filter=vs,fs', f'--stats={stats}', '--', PIGLIT,
                 shader, '-auto', '-fbo'], env=env, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, check=False)
            if not trace.exists():
                print(done.stdout)
                return 77
            assert '"result": "pass"' in done.stdout, done

            def show(*args):
                return subprocess.run([saffron, 'trace', *args, trace],
                                      stdout=subprocess.PIPE, text=True,
                                      check=True).stdout
            draw = re.findall(r'draw (\d+) at \S+ topology', show())[-1]
            # The shader computes in r REG what it writes of the pixel.
            text = show('--draw=' + draw, '--pixel=101,30')
            assert re.match(r'pixel \(101, 30\) is channel \d+\n', text), text
            assert text.count('pixel (101, 30)') == 1, text
            assert re.search(r'^ +r\d+ .* 0\.396484', text, re.M), text
            text = show('--draw=' + draw, '--vertex=2')
            assert re.match(r'vertex 2 is channel \d+\n', text), text
            assert 'EOT}' in text, text

            shown = json.loads(show('--stats=json'))
            counted = json.loads(stats.read_text())
            assert counted['eu_threads'] == shown['all']['threads']
            assert counted['eu_instructions'] == shown['all']['instructions']
            assert counted['eu_cycles'] == shown['all']['cycles']
            assert ([(s['stage'], s['hash'], s['sends'])
                     for s in counted['shaders']] ==
                    [(s['stage'], s['hash'], s['sends'])
                     for s in shown['shaders']])
    return 0


sys.exit(main(sys.argv[1]))
