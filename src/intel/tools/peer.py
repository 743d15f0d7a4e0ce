# SPDX-License-Identifier: MIT
"""What stock Mesa's compiler makes of shaders, beside what ours makes of them.

usage: saffron peer [OPTIONS] FILE.shader_test...
       saffron peer [OPTIONS] --corpus=fp64|fp64-varying|general

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
  -r, --run       execute the tests, and count what the threads of these
                  programs have executed, too: a mean thread's instructions,
                  cycles, and cycles of issue (what is left of them where
                  other threads hide latencies). Programs that ran and are
                  none of those that were printed are named at the end
  -b, --bound     execute the tests, and say how near to the least both are:
                  what a thread's operations on doubles (ADD, MUL, MAD, CMP,
                  minima and maxima) and its messages, but those to scratch
                  space, are issued for, in the program that has less of it.
                  Columns "needed": what each program has of it, a mean
                  thread's; "/bound": issue divided by the least
  -m, --models    with --run: under each timing model of the simulator
                  (SAFFRON_SIM_TIMING: ours and the published one, latencies
                  as they are, halved and doubled). One more column, the worst
                  ratio of cycles or issue of all; files have them all. What is
                  better than Mesa's in each of them alone is called a win
      --corpus=NAME  fp64: piglit's tests of arb_gpu_shader_fp64, the stage
                  that is under test; fp64-varying: those of fragment shaders,
                  with operands that differ between channels (the window's x
                  is added to each); general: all other shader tests. Prints
                  sums, medians, classes and the 25 worst, not each row
      --every=N   each N-th test of it, chosen by a hash of its name
      --first=K   of these, the K-th choice (0)
      --stage=S   only rows of this stage
  -j, --jobs=N    tests at a time (2)
  -o, --output=FILE  the rows as comma-separated values
      --write     the sums of --corpus into docs/performance.rst
      --against=FILE  such a file of an earlier run: what of ours changed
      --stock=FILE  Mesa's figures from such a file, of the same tests and
                  generation, which takes half the time: its code does not
                  change, but do not use it across changes of the simulator's
                  timing. Tests that it has not are run
  -h, --help      this text

Exit codes: 0 all compiled by both, 1 some were not, 2 wrong use.
"""

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / 'tests'))
import measured  # pylint: disable=wrong-import-position
import zink  # pylint: disable=wrong-import-position

PIGLIT = Path('/usr/lib/x86_64-linux-gnu/piglit')
RUNNER = PIGLIT / 'bin/shader_runner'
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
EXECUTED = ['instructions', 'cycles', 'issue']
# Of a disassembled program: operations on doubles, not what moves or converts
# them; messages, but those to scratch space.
NEEDED = re.compile(
    r'/\* (?P<offset>[0-9a-f]+) \*/ (?:\(\S+\) )*(?:'
    r'(?:add|mul|mad|mac|cmp) \(\S+\) (?:\(\S+\)(?:f\d\.\d )?)*\S*:df\b|'
    r'sel \(\S+\) \(\w+\)(?:f\d\.\d )?\S*:df\b|'
    r'sendc?s? (?!.*// .*\bscratch\b))')
# Timing models beside the simulator's own, and what is asked of each; how long
# instructions are issued for does not depend on latencies.
MODELS = {'ours:50': ['cycles'], 'ours:200': ['cycles'],
          'published': ['cycles', 'issue'], 'published:50': ['cycles'],
          'published:200': ['cycles']}
# Stages as the simulator calls them.
SIM_STAGES = {'vs': 'vs', 'hs': 'tcs', 'ds': 'tes', 'gs': 'gs', 'fs': 'fs',
              'cs': 'cs'}
# How names of tests begin that are about a stage.
ABOUT = {**{s: s for s in STAGES.values()}, 'vert': 'vs', 'geom': 'gs',
         'frag': 'fs'}
FP64 = 'spec/arb_gpu_shader_fp64'
OPERAND = re.compile(r'^uniform ((?:d(?:vec|mat)[234x]+|double)) (arg\d+);$',
                     re.M)
TYPE = re.compile(r'(b|d|i|u)?(vec[234]|mat[234](x[234])?)|'
                  r'double|float|u?int|bool|array\d*|\d+')
WORST = 25
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

    def __init__(self, name, build, gen, run):
        self.name, self.build, self.gen, self.columns = name, build, gen, run
        self.not_counted = []
        self.env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen,
                        PIGLIT_PLATFORM='surfaceless_egl',
                        INTEL_DEBUG=','.join(STAGES.values()) + ',hex',
                        MESA_SHADER_CACHE_DISABLE='true')
        for key in [*zink.CHOICES, 'SAFFRON_SIM_DRY_RUN',
                    'SAFFRON_SIM_STATS', 'SAFFRON_SIM_TIMING']:
            self.env.pop(key, None)
        if name == 'stock':
            self.env['LD_PRELOAD'] = str(
                build / 'src/intel/drm-shim/libsaffron_drm_shim.so')
            self.programs = stock_programs
        else:
            icd = str(build / 'src/intel/vulkan/saffron_icd.json')
            self.env.update(zink.variables(), VK_DRIVER_FILES=icd,
                            VK_ICD_FILENAMES=icd)
            self.programs = our_programs
        self.own = set()
        for text in EMPTY_TESTS:
            with tempfile.NamedTemporaryFile('w',
                                             suffix='.shader_test') as f:
                f.write(text)
                f.flush()
                for codes in self.compile(f.name, {})[0].values():
                    self.own.update(codes)
        with tempfile.TemporaryDirectory() as folder:
            self.own_hashes = {m['hash'] for _, m in measure(
                build, gen, folder, [(None, c) for c in self.own])}

    def compile(self, test, more):
        """((stage, width) -> the programs that are not the driver's own,
        whether the test came to its end)."""
        ended = True
        try:
            out = subprocess.run([RUNNER, test, '-auto', '-fbo'],
                                 env=dict(self.env, **more),
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=120,
                                 check=False).stdout
        except subprocess.TimeoutExpired as e:
            out, ended = e.stdout or b'', False
        found = self.programs(out.decode(errors='replace'))
        return {key: {bytes(c) for c in codes if c} - self.own
                for key, codes in found.items()}, ended

    def executed(self, test, folder, model=''):
        """The compiled programs, and (stage, hash) -> what threads of it have
        executed on the average."""
        stats = Path(folder) / 'stats'
        codes, _ = self.compile(test, {'SAFFRON_SIM_STATS': str(stats),
                                       'SAFFRON_SIM_TIMING': model})
        return codes, read_executed(stats)

    def needed(self, test, folder):
        """(stage, hash) -> {offset of an instruction: cycles of issue of all
        threads}."""
        trace = Path(folder) / 'trace'
        self.compile(test, {'SAFFRON_SIM_TRACE_FILE': str(trace),
                            'SAFFRON_SIM_TRACE_FILTER': 'profile,nocommands'})
        found = collections.defaultdict(collections.Counter)
        # Nothing, if nothing ran.
        out = subprocess.run([self.build / 'src/intel/tools/saffron-trace',
                              '--profile=json', trace],
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False).stdout
        for shader in json.loads(out)['shaders'] if out else ():
            key = SIM_STAGES[shader['stage']], shader['program']
            for i in shader['instructions']:
                found[key][i['offset']] += i['issue']
        return found

    def offsets(self, code):
        """Of what a program cannot do without."""
        text = subprocess.run(
            [self.build / 'src/intel/tools/saffron-disasm', '-p', '-m',
             '--gen=' + self.gen], input=code, stdout=subprocess.PIPE,
            check=False).stdout.decode()
        return [int(m['offset'], 16)
                for m in map(NEEDED.match, text.splitlines()) if m]

    def add_needed(self, executed, needed, codes):
        """To what was executed, of a mean thread. A program that has got
        addresses since it was printed has its instructions where they were,
        with the same bytes but for those."""
        for key, run in executed.items():
            same = [c for (stage, _), some in codes.items() for c in some
                    if stage == key[0] and len(c) == run['bytes']]
            if same and key in needed:
                run['needed'] = sum(needed[key][o] for o in
                                    self.offsets(same[0])) / run['threads']

    def counted(self, test):
        """(stage, width) -> counts of the longest program."""
        with tempfile.TemporaryDirectory() as folder:
            executed = {}
            if self.columns:
                codes, executed[''] = self.executed(test, folder)
            else:
                codes, _ = self.compile(test, {'SAFFRON_SIM_DRY_RUN': '1'})
            if 'needed' in [c.name for c in self.columns]:
                self.add_needed(executed[''], self.needed(test, folder),
                                codes)
            for model in {c.model for c in self.columns} - {''}:
                _, executed[model] = self.executed(test, folder, model)
            counts = measure(self.build, self.gen, folder,
                             [(key, c) for key, some in codes.items()
                              for c in some])
        found = {}
        for key, m in counts:
            if m['instructions'] > found.get(key, m)['instructions'] or \
                    key not in found:
                found[key] = m
        self.join(test, found, counts, executed)
        return found

    def join(self, test, found, counts, executed):
        """Puts what was executed to each of `found`. A driver may have put
        addresses of constant data into a program after it was printed: then
        the one of the stage that has its size and is not known is it."""
        known = self.own_hashes | {m['hash'] for _, m in counts}
        strangers = {k: v for k, v in executed.get('', {}).items()
                     if k[1] not in known}
        for (stage, _), m in found.items():
            same = [k for k, v in strangers.items()
                    if k[0] == stage and v['bytes'] == m['bytes']]
            key = (stage, m['hash'])
            if key not in executed.get('', {}) and len(same) == 1:
                key = same[0]
                del strangers[key]
            runs = {model: some.get(key) for model, some in executed.items()}
            m['run'] = {c.title: runs[c.model][c.name] for c in self.columns
                        if runs[c.model] and c.name in runs[c.model]}
        self.not_counted += [
            '%s %s: %d bytes of %s' % (Path(test).stem, k[0], v['bytes'],
                                       self.name)
            for k, v in strangers.items()]


class Earlier:
    """Mesa's figures of an earlier run. Several tests may have one name: if
    FILE has not as many of them, `driver` runs these."""

    def __init__(self, path, files, driver):
        self.driver, self.columns = driver, driver.columns
        self.not_counted = driver.not_counted
        self.known = {}
        with open(path, encoding='utf-8', newline='') as f:
            tests = self.read(csv.DictReader(f))
        named = collections.defaultdict(list)
        for file in files:
            named[Path(file).stem].append(file)
        for name, those in named.items():
            if len(tests[name]) == len(those):
                self.known.update(zip(those, tests[name]))

    def read(self, rows):
        """name -> [what counted() returns] in the order of the file, where
        the rows of a test are together, each stage and width once."""
        tests = collections.defaultdict(list)
        name, seen = None, set()
        for row in rows:
            key = row['stage'], row['width']
            if row['test'] != name or key in seen:
                name, seen = row['test'], set()
                tests[name].append({})
            seen.add(key)
            if row['stock cycles']:
                tests[name][-1][key] = self.counts(row)
        return tests

    def counts(self, row):
        found = {c: int(row['stock ' + c]) for c in COLUMNS}
        run = {c.title: row['stock ' + c.title] for c in self.columns}
        found['run'] = {c: float(v) for c, v in run.items() if v}
        return found

    def counted(self, test):
        if test in self.known:
            return self.known[test]
        return self.driver.counted(test)


def read_executed(path):
    """(stage, hash) -> a mean thread's counts, from SAFFRON_SIM_STATS."""
    try:
        shaders = json.loads(path.read_text())['shaders']
    except (OSError, ValueError):
        return {}
    return {(SIM_STAGES[s['stage']], s['hash']):
            {'bytes': s['bytes'], 'threads': s['threads'],
             **{c: s[c] / s['threads'] for c in EXECUTED}}
            for s in shaders if s['threads']}


def measure(build, gen, folder, programs):
    """[(key, counts)] of [(key, code)]."""
    files = []
    for n, (_, code) in enumerate(programs):
        files.append(Path(folder) / str(n))
        files[-1].write_bytes(code)
    if not files:
        return []
    out = subprocess.run([build / 'src/intel/tools/saffron-measure',
                          '--gen=' + gen, *files],
                         stdout=subprocess.PIPE, check=True).stdout
    return [(key, json.loads(line)) for (key, _), line in
            zip(programs, out.splitlines())]


Column = collections.namedtuple('Column', 'title model name')
NEEDED_COLUMN = Column('run needed', '', 'needed')
# Issue divided by the least of what both need.
BOUNDS = ['stock/bound', 'our/bound']


def run_columns(run, models, bound=False):
    """What is counted of executed programs."""
    columns = [Column('run ' + c, '', c)
               for c in EXECUTED * run + ['needed'] * bound]
    for model, names in MODELS.items() if models else ():
        columns += [Column('run %s %s' % (c, model), model, c) for c in names]
    return columns


def figures(counts, columns):
    if not counts:
        return [''] * (len(COLUMNS) + len(columns))
    run = counts['run']
    return [str(counts[c]) for c in COLUMNS] + \
        ['%.1f' % run[c.title] if c.title in run else '' for c in columns]


def row_titles(columns):
    titles = COLUMNS + [c.title for c in columns]
    return ['test', 'stage', 'width'] + ['stock ' + c for c in titles] + \
        ['our ' + c for c in titles] + ['ratio', 'worst'] + \
        BOUNDS * (NEEDED_COLUMN in columns)


def worst_ratio(stock, ours, columns):
    """Of cycles and issue, in all models; '' if one of both did not run."""
    ratios = [ours['run'][c.title] / stock['run'][c.title] for c in columns
              if c.name in ('cycles', 'issue') and stock['run'].get(c.title)
              and c.title in ours['run']]
    return '%.2f' % max(ratios) if ratios else ''


def bounds(stock, ours):
    """As texts; of the one that ran, if the other did not."""
    runs = [c['run'] if c else {} for c in (stock, ours)]
    needed = [r['run needed'] for r in runs if r.get('run needed')]
    return ['%.2f' % (r['run issue'] / min(needed))
            if r.get('run needed') else '' for r in runs]


def rows_of(drivers, test):
    """One a stage and width, as texts; whether both compiled something."""
    both = [d.counted(test) for d in drivers]
    rows = []
    for key in sorted(set(both[0]) | set(both[1])):
        stock, ours = (b.get(key) for b in both)
        ratio = worst = ''
        columns = drivers[0].columns
        if stock and ours:
            ratio = '%.2f' % (ours['cycles'] / stock['cycles'])
            worst = worst_ratio(stock, ours, columns)
        rows.append([Path(test).stem, *key, *figures(stock, columns),
                     *figures(ours, columns), ratio, worst,
                     *(bounds(stock, ours) if NEEDED_COLUMN in columns
                       else [])])
    return rows, all(both)


def show(row, width):
    print(row[0].ljust(width), row[1].ljust(5), row[2].rjust(5),
          *(c.rjust(7) for c in row[3:]))


def shown(row, columns):
    """A row without what models beside the simulator's own say: the worst
    ratio stands for it."""
    n = len(COLUMNS) + len(columns)
    kept = len(COLUMNS) + sum(not c.model for c in columns)
    return [*row[:3 + kept], *row[3 + n:3 + n + kept], *row[3 + 2 * n:]]


def show_heads(columns, width):
    heads = [c[:6] for c in COLUMNS] + \
        ['run' + c.name[:4] for c in columns if not c.model]
    n = 8 * len(heads) - 1
    print(' ' * (width + 12) + 'stock'.center(n), 'ours'.center(n))
    show(['test', 'stage', 'width', *heads, *heads, 'ratio', 'worst',
          *['/bound'] * (2 * (NEEDED_COLUMN in columns))], width)


def corpus_files(name, every, first):
    files = [f for folder in ('tests', 'generated_tests')
             for f in (PIGLIT / folder).rglob('*.shader_test')
             if (FP64 in str(f)) == (name == 'fp64')]
    return sorted(str(f) for f in files
                  if zlib.crc32(f.name.encode()) % every == first)


def with_varying_operands(text):
    """A test of a fragment shader whose operands are uniforms, where each
    operand of doubles has the window's x added to it; without probes, which
    would ask for other results. None: it has no such operands."""
    head, mark, rest = text.partition('[fragment shader]\n')
    shader, end, tail = rest.partition('[vertex data]\n')
    operands = OPERAND.findall(shader)
    if not operands:
        return None
    sums = ''.join('  %s %s = u_%s + %s(double(gl_FragCoord.x));\n' %
                   (kind, name, name, kind) for kind, name in operands)
    shader = OPERAND.sub(r'uniform \1 u_\2;', shader)
    shader = re.sub(r'(void main\(\)\s*\{\n)', r'\1' + sums, shader)
    names = {name for _, name in operands}
    lines = [re.sub(r'^(uniform \S+ )(arg\d+)', lambda m: m[1] + (
        'u_' if m[2] in names else '') + m[2], line)
             for line in tail.splitlines(True)
             if not line.startswith('probe')]
    return head + mark + shader + end + ''.join(lines)


def varying_files(folder, every, first):
    """The same tests as files of `folder`."""
    found = []
    for path in corpus_files('fp64', every, first):
        if not Path(path).stem.startswith('fs-'):
            continue
        text = with_varying_operands(Path(path).read_text('utf-8'))
        if text:
            found.append(Path(folder) / Path(path).name)
            found[-1].write_text(text, 'utf-8')
    return [str(f) for f in found]


def class_of(test):
    """fs-op-div-dmat4-double: op-div."""
    words = test.split('-')
    if words[0] in ABOUT:
        words = words[1:]
    kept = [w for w in words if not TYPE.fullmatch(w)]
    return '-'.join(kept[:2]) or test


def tested(rows, corpus):
    """Rows of the stage that a test is about, where it says so, with code
    of both, each row as a dictionary."""
    for row in rows:
        about = ABOUT.get(row['test'].split('-')[0], row['stage'])
        if (corpus or '').startswith('fp64') and about != row['stage']:
            continue
        if row['ratio']:
            yield row


def value(row, who, column):
    text = row.get('%s %s' % (who, column)) or ''
    return float(text) if text else None


def pairs(rows, column):
    """[(theirs, ours, row)] where both have a figure."""
    found = [(value(r, 'stock', column), value(r, 'our', column), r)
             for r in rows]
    return [p for p in found if p[0] is not None and p[1] is not None]


def quotient(some):
    """Of the sums, as text."""
    below = sum(p[0] for p in some)
    return '%.2f' % (sum(p[1] for p in some) / below) if below else '-'


def median(some):
    ratios = [p[1] / p[0] for p in some if p[0]]
    return '%.2f' % statistics.median(ratios) if ratios else '-'


def summary_columns(rows):
    columns = ['instructions', 'cycles'] + \
        [c.title for c in run_columns(True, True)]
    return [c for c in columns if pairs(rows, c)]


def print_wins(rows):
    worst = [float(r['worst']) for r in rows if r.get('worst')]
    if worst:
        print('\nbetter in cycles and issue under every model: %d of %d' % (
            sum(w < 1 for w in worst), len(worst)))


def print_groups(title, groups, columns):
    print('\n%-28s %6s' % (title, 'number'),
          *('%20s' % c for c in columns), '%9s %15s' % ('sends', 'spills'))
    for name, rows in groups:
        texts = []
        for column in columns:
            some = pairs(rows, column)
            texts.append('%10s (%s)' % (quotient(some), median(some)))
        spills = pairs(rows, 'spills')
        print('%-28s %6d' % (name, len(rows)), *('%20s' % t for t in texts),
              '%9s' % quotient(pairs(rows, 'sends')),
              '%7d/%7d' % (sum(p[1] for p in spills),
                           sum(p[0] for p in spills)))


def grouped(rows, key):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def print_summary(rows):
    """Ratios of sums, and medians of ratios in parentheses."""
    columns = summary_columns(rows)
    if not columns:
        print('nothing to compare')
        return
    last = 'run issue' if 'run issue' in columns else columns[-1]
    print_groups('ours / theirs: sum (median)',
                 sorted(grouped(rows, lambda r: '%s %s' % (
                     r['stage'], r['width'])).items()), columns)
    classes = grouped(rows, lambda r: class_of(r['test']))
    order = sorted(classes.items(), key=lambda c: -sum(
        p[1] - p[0] for p in pairs(c[1], last)))
    print_groups('classes, by what they lose', order[:40], columns)
    print('\nthe %d worst by %s' % (WORST, last))
    some = [p for p in pairs(rows, last) if p[0]]
    for theirs, ours, row in sorted(some, key=lambda p: -p[1] / p[0])[:WORST]:
        print('%6.2f %9.0f %9.0f  %s %s %s' % (
            ours / theirs, theirs, ours, row['stage'], row['width'],
            row['test']))


def write_summary(rows, args, build):
    """Of each stage and width, as print_summary() has them."""
    table = []
    columns = [c for c in ('run cycles', 'run issue') if pairs(rows, c)] or \
        ['cycles']
    for name, some in sorted(grouped(rows, lambda r: '%s %s' % (
            r['stage'], r['width'])).items()):
        each = [pairs(some, c) for c in columns]
        table.append([name, len(each[0]),
                      *('%s (%s)' % (quotient(e), median(e)) for e in each),
                      sum(p[1] > p[0] for p in each[0])])
    heads = [c.replace('run ', '') for c in columns]
    command = 'bin/saffron peer --gen=%s --corpus=%s' % (args.gen, args.corpus)
    command += ' --run' * args.run + ' --every=%d' % args.every * (
        args.every > 1) + (' --stage=%s' % args.stage if args.stage else '')
    try:
        measured.write(
            'performance.rst', command, measured.origin(build), measured.rst(
                ['programs', 'number', *heads, 'above 1.00'], table))
    except ValueError as error:
        print('saffron peer: %s' % error, file=sys.stderr)


def numbered(rows):
    """[(key, row)]; tests in several folders may have the same name, and are
    in the same order in each run."""
    seen = collections.Counter()
    for row in rows:
        name = row['test'], row['stage'], row['width']
        seen[name] += 1
        yield (*name, seen[name]), row


def print_change(rows, path, corpus):
    """What of ours is different from an earlier run, for the same rows."""
    with open(path, encoding='utf-8', newline='') as f:
        before = dict(numbered(tested(csv.DictReader(f), corpus)))
    both = []
    for key, row in numbered(rows):
        old = before.get(key)
        if old:
            both.append({**row, **{k.replace('our ', 'stock '): v
                                   for k, v in old.items()
                                   if k.startswith('our ')}})
    columns = summary_columns(both)
    if not columns:
        print('\nno row of %s is here' % path)
        return
    last = 'run issue' if 'run issue' in columns else columns[-1]
    print_groups('now / %s' % Path(path).name, sorted(grouped(
        both, lambda r: '%s %s' % (r['stage'], r['width'])).items()), columns)
    some = [p for p in pairs(both, last) if p[0] and p[0] != p[1]]
    some.sort(key=lambda p: p[1] / p[0])
    print('\n%d of %d changed by %s' % (len(some), len(both), last))
    ends = some if len(some) <= WORST else some[:10] + some[-15:]
    for old, new, row in ends:
        print('%6.2f %9.0f %9.0f  %s %s %s' % (
            new / old, old, new, row['stage'], row['width'], row['test']))


class Usage(argparse.ArgumentParser):
    """As our other tools say it."""

    def error(self, message):
        print('saffron peer: ' + message, file=sys.stderr)
        sys.exit(2)


def check_columns(parser, path, wanted):
    with open(path, encoding='utf-8', newline='') as f:
        heads = next(csv.reader(f), [])
    for name in wanted:
        if name not in heads:
            parser.error('%s has no column "%s"' % (path, name))


def options(argv):
    parser = Usage(add_help=False)
    parser.add_argument('-g', '--gen', default='skl')
    for flag in [('-c', '--csv'), ('-r', '--run'), ('-b', '--bound'),
                 ('-m', '--models'), ('-h', '--help'), ['--write']]:
        parser.add_argument(*flag, action='store_true')
    parser.add_argument('--corpus', choices=['fp64', 'fp64-varying', 'general'])
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--stage', choices=list(STAGES.values()))
    parser.add_argument('-j', '--jobs', type=int, default=2)
    parser.add_argument('-o', '--output')
    parser.add_argument('--against')
    parser.add_argument('--stock')
    parser.add_argument('files', nargs='*')
    args = parser.parse_args(argv)
    if args.help:
        return args
    if args.gen not in GENS:
        parser.error('our compiler knows %s, not %s'
                     % (' and '.join(GENS), args.gen))
    if args.jobs < 1 or args.every < 1 or \
            not 0 <= args.first < args.every:
        parser.error('--jobs and --every are 1 or more, and --first is one '
                     'of 0 to N - 1 of --every=N')
    for name in filter(None, [*args.files, args.against, args.stock]):
        if not Path(name).is_file():
            parser.error('no file: ' + name)
    args.run = args.run or args.bound
    if args.models and not args.run:
        parser.error('--models wants --run')
    if args.stock:
        titles = row_titles(run_columns(args.run, args.models, args.bound))
        check_columns(parser, args.stock, titles[:3] + [
            t for t in titles if t.startswith('stock ')])
    if bool(args.files) == bool(args.corpus):
        parser.error('which files?')
    if args.output:
        try:
            with open(args.output, 'a', encoding='utf-8'):
                pass
        except OSError as error:
            parser.error('%s: %s' % (args.output, error.strerror))
    return args


def all_rows(args, drivers, files, heads, each):
    """Every row, as it comes; each a dictionary by `heads`."""
    rows, good = [], True
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for n, (more, both) in enumerate(pool.map(
                lambda f: rows_of(drivers, f), files)):
            if sys.stderr.isatty():
                print('\r%d of %d' % (n + 1, len(files)), end='\r',
                      file=sys.stderr)
            for row in more:
                if args.stage in (None, row[1]):
                    rows.append(dict(zip(heads, row)))
                    each(row)
            good = good and both
    return rows, good


def compare(args, files):
    build = Path(os.environ['SAFFRON_BUILD_DIR'])
    columns = run_columns(args.run, args.models, args.bound)
    heads = row_titles(columns)
    drivers = [Driver(name, build, args.gen, columns)
               for name in ('stock', 'ours')]
    if args.stock:
        drivers[0] = Earlier(args.stock, files, drivers[0])
    width = max((len(Path(f).stem) for f in files), default=0)
    writer = csv.writer(sys.stdout, lineterminator='\n')
    if args.csv:
        writer.writerow(heads)
    elif not args.corpus:
        show_heads(columns, width)

    def each(row):
        if args.csv:
            writer.writerow(row)
        elif not args.corpus:
            show(shown(row, columns), width)

    rows, good = all_rows(args, drivers, files, heads, each)
    if args.output:
        with open(args.output, 'w', encoding='utf-8', newline='') as f:
            out = csv.DictWriter(f, heads, lineterminator='\n')
            out.writeheader()
            out.writerows(rows)
    rows = list(tested(rows, args.corpus))
    if args.corpus and not args.csv:
        print_summary(rows)
        if args.write:
            write_summary(rows, args, build)
    if args.against:
        print_change(rows, args.against, args.corpus)
    if not args.csv:
        print_wins(rows)
    missed = drivers[0].not_counted + drivers[1].not_counted
    if missed:
        print('%d programs ran that are in no figure:' % len(missed),
              *missed, sep='\n  ', file=sys.stderr)
    return 0 if good else 1


def main(argv):
    args = options(argv)
    if args.help:
        print(__doc__.strip())
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if args.corpus == 'fp64-varying':
            files = varying_files(folder, args.every, args.first)
        else:
            files = args.files or corpus_files(args.corpus, args.every,
                                               args.first)
        return compare(args, files)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
