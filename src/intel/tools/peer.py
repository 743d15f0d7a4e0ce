# SPDX-License-Identifier: MIT
"""What stock Mesa's compiler makes of shaders, beside what ours makes of them.

usage: saffron peer [--gen=skl|bdw|hsw|ivb] [--csv] FILE.shader_test...

Runs piglit's shader_runner twice on each file: with Mesa's own driver on the
simulated GPU, and with zink on ours. Nothing is drawn; both drivers print
the machine code that they compile. One row a stage and dispatch width (vec4:
SIMD4x2; INTEL_SCALAR_STAGES says what of ours is, from bdw on):
instructions, estimated cycles, sends, spills and fills, counted in the code
itself by `saffron-measure`, with one timing model for both; and our cycles
divided by theirs.

Drivers compile shaders of their own, for clears and copies. They are known
by a test that has no shaders worth the name, which runs first; of what is
left, the longest program of a stage and width is taken to be the test's. A
column without figures: that driver compiled nothing there.

  -g, --gen=GEN   generation: ivb, hsw, bdw or skl (the default)
  -c, --csv       comma-separated values instead of a table
  -h, --help      this text

Exit codes: 0 all compiled by both, 1 some were not, 2 wrong use.
"""

import getopt
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNNER = '/usr/lib/x86_64-linux-gnu/piglit/bin/shader_runner'
STAGES = {'vertex': 'vs', 'tessellation control': 'tcs',
          'tessellation evaluation': 'tes', 'geometry': 'gs',
          'fragment': 'fs', 'compute': 'cs'}
STOCK_HEAD = re.compile(r'^Native code for .*?\b(%s) shader' %
                        '|'.join(STAGES))
STOCK_WIDTH = re.compile(r'^(?:[A-Z]+ )?(SIMD\d+|vec4) shader:|^SIMD(\d+)')
STOCK_LINE = re.compile(r'^((?:[0-9a-f]{2} ){8}(?:(?:[0-9a-f]{2} ){8})?)')
OURS_HEAD = re.compile(r'^Native code for (%s) shader \(SIMD(\d+|4x2)\)' %
                       '|'.join(STAGES))
OURS_LINE = re.compile(r'// ((?:[0-9a-f]{8} ?){2}(?:[0-9a-f]{8} ?){0,2})$')
GENS = ['ivb', 'hsw', 'bdw', 'skl']
COLUMNS = ['instructions', 'cycles', 'sends', 'spills', 'fills']
# Clears, draws and reads back, as most tests do.
EMPTY_TEST = """[require]
%s
[vertex shader]
%s
void main() { gl_Position = piglit_vertex; }
[fragment shader]
%s
void main() { %s = vec4(0.0); }
[test]
clear color 0.0 0.0 1.0 0.0
clear
draw rect -1 -1 2 2
probe all rgba 0 0 0 0
probe rgba 0 0 0 0 0 0
probe rgb 0 0 0 0 0
relative probe rgba (0.5, 0.5) (0, 0, 0, 0)
"""
EMPTY_TESTS = [
    EMPTY_TEST % ('GLSL >= 1.10', 'attribute vec4 piglit_vertex;', '',
                  'gl_FragColor'),
    EMPTY_TEST % ('GLSL >= 1.50', '#version 150\nin vec4 piglit_vertex;',
                  '#version 150\nout vec4 colour;', 'colour'),
]


def stock_programs(text):
    """(stage, width) -> list of programs, from Mesa's INTEL_DEBUG=...,hex."""
    found, stage, code = {}, None, None
    for line in text.splitlines():
        head = STOCK_HEAD.match(line)
        width = STOCK_WIDTH.match(line)
        if head:
            stage, code = STAGES[head[1]], None
        elif width and stage:
            code = bytearray()
            name = (width[1] or 'SIMD' + width[2]).replace('SIMD', '')
            found.setdefault((stage, name), []).append(code)
            stage = None
        elif code is not None:
            part = STOCK_LINE.match(line)
            if part:
                code += bytes.fromhex(part[1])
    return found


def our_programs(text):
    """The same of our INTEL_DEBUG=...,hex."""
    found, code = {}, bytearray()
    for line in text.splitlines():
        head = OURS_HEAD.match(line)
        part = OURS_LINE.search(line)
        if head:
            code = bytearray()
            width = 'vec4' if head[2] == '4x2' else head[2]
            found.setdefault((STAGES[head[1]], width), []).append(code)
        elif part:
            code += bytes.fromhex(part[1])
    return found


class Driver:
    """One of the two: how to run it, how to read what it prints."""

    def __init__(self, name, build, gen):
        self.env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen,
                        SAFFRON_SIM_DRY_RUN='1',
                        PIGLIT_PLATFORM='surfaceless_egl',
                        INTEL_DEBUG=','.join(STAGES.values()) + ',hex',
                        MESA_SHADER_CACHE_DISABLE='true')
        for key in ['MESA_LOADER_DRIVER_OVERRIDE', 'LIBGL_ALWAYS_SOFTWARE',
                    'GALLIUM_DRIVER']:
            self.env.pop(key, None)
        if name == 'stock':
            self.env['LD_PRELOAD'] = str(
                build / 'src/intel/drm-shim/libsaffron_drm_shim.so')
            self.programs = stock_programs
        else:
            icd = str(build / 'src/intel/vulkan/saffron_icd.json')
            self.env.update(MESA_LOADER_DRIVER_OVERRIDE='zink',
                            VK_DRIVER_FILES=icd, VK_ICD_FILENAMES=icd)
            self.programs = our_programs
        self.own = set()
        for text in EMPTY_TESTS:
            with tempfile.NamedTemporaryFile('w',
                                             suffix='.shader_test') as f:
                f.write(text)
                f.flush()
                for codes in self.compile(f.name).values():
                    self.own.update(codes)

    def compile(self, test):
        """(stage, width) -> the programs that are not the driver's own."""
        try:
            out = subprocess.run([RUNNER, test, '-auto', '-fbo'],
                                 env=self.env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=120,
                                 check=False).stdout
        except subprocess.TimeoutExpired as e:
            out = e.stdout or b''
        found = self.programs(out.decode(errors='replace'))
        return {key: {bytes(c) for c in codes if c} - self.own
                for key, codes in found.items()}


def measure(build, gen, code):
    with tempfile.NamedTemporaryFile() as f:
        f.write(code)
        f.flush()
        out = subprocess.run([build / 'src/intel/tools/saffron-measure',
                              '--gen=' + gen, f.name],
                             stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)


def longest(build, gen, codes):
    measured = [measure(build, gen, code) for code in codes]
    return max(measured, key=lambda m: m['instructions'], default=None)


def show(row, as_csv, width):
    if as_csv:
        print(','.join('"%s"' % c if ',' in c else c for c in row))
    else:
        print(row[0].ljust(width), row[1].ljust(5), row[2].rjust(5),
              *(c.rjust(7) for c in row[3:]))


def titles(whose, as_csv):
    return [whose + c if as_csv else c[:6] for c in COLUMNS]


def figures(counts):
    return [str(counts[c]) if counts else '' for c in COLUMNS]


def main(argv):
    build = Path(os.environ['SAFFRON_BUILD_DIR'])
    gen, as_csv = 'skl', False
    try:
        options, files = getopt.getopt(argv, 'g:ch', ['gen=', 'csv', 'help'])
    except getopt.GetoptError as e:
        sys.exit('saffron peer: %s' % e)
    for name, value in options:
        if name in ('-h', '--help'):
            print(__doc__.strip())
            return 0
        if name in ('-g', '--gen'):
            gen = value
        else:
            as_csv = True
    if gen not in GENS:
        print('saffron peer: our compiler knows %s, not %s'
              % (' and '.join(GENS), gen), file=sys.stderr)
        return 2
    missing = [f for f in files if not Path(f).is_file()]
    if not files or missing:
        print('saffron peer: %s' % ('no file: ' + missing[0] if missing else
                                    'which files?'), file=sys.stderr)
        return 2
    drivers = [Driver('stock', build, gen), Driver('ours', build, gen)]
    width = max(len(Path(f).stem) for f in files)
    if not as_csv:
        print(' ' * (width + 11), 'stock'.center(39), 'ours'.center(39))
    show(['test', 'stage', 'width'] + titles('stock ', as_csv) +
         titles('our ', as_csv) + ['ratio'], as_csv, width)
    good = True
    for n, test in enumerate(files):
        if sys.stderr.isatty():
            print('\r%d of %d' % (n, len(files)), end='\r', file=sys.stderr)
        both = [d.compile(test) for d in drivers]
        for key in sorted(set(both[0]) | set(both[1])):
            stock, ours = (longest(build, gen, b.get(key, ())) for b in both)
            if not stock and not ours:
                continue
            ratio = ''
            if stock and ours:
                ratio = '%.2f' % (ours['cycles'] / stock['cycles'])
            show([Path(test).stem, *key, *figures(stock), *figures(ours),
                  ratio], as_csv, width)
        good = good and all(any(c for c in b.values()) for b in both)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
