#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed and memory, measured; the back end of `bin/saffron bench`.

Figures of one run stand beside each other: where there is a peer (stock zink
over lavapipe; for stock drivers on the simulated GPU, stock llvmpipe), its
figure is taken on the same machine in the same run, and the ratio is what
counts. Nothing here passes or fails. Tables of docs/performance.rst and
docs/fp64.rst are those of --write.
"""
import argparse
import glob
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measured
import weston
import zink

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(ROOT, 'tests', 'pipelines'),
             os.path.join(ROOT, 'src', 'intel', 'tools')]
import peer as peers  # pylint: disable=wrong-import-position
import pipelines  # pylint: disable=wrong-import-position

GENERATIONS = ('skl', 'bdw', 'hsw', 'ivb')
KERNELS = os.path.join(ROOT, 'tests', 'kernels')
SAFFRON = os.path.join(ROOT, 'bin', 'saffron')
PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit'
FP64_TESTS = os.path.join(PIGLIT, 'generated_tests/spec/arb_gpu_shader_fp64/'
                          'execution/built-in-functions')
IDLE_LIMIT_MIB = 256
# Of each kind of pass one, for bench_flushes().
FLUSH_TESTS = (
    'arb_compute_shader/execution/simple-barrier-atomics',
    'arb_gpu_shader_fp64/execution/gs-isnan-dvec',
    'arb_shader_storage_buffer_object/execution/ssbo-atomicAdd-int',
    'arb_shader_image_load_store/execution/write-to-rendered-image',
    'arb_tessellation_shader/execution/quads',
)
LAVAPIPE = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json'


class Table:
    """The rows of one bench, each printed as it comes."""
    def __init__(self):
        self.head, self.rows = ['what', 'unit', 'ours', 'peer', 'ratio'], []

    def row(self, name, value, unit, peer=None, of='zink over lavapipe'):
        """One line of the report; `peer` is the same measure of another
        driver, which `of` names."""
        text = f'{name:<44} {value:>10.2f} {unit}'
        cells = [name, unit, f'{value:.2f}', '', '']
        if peer:
            text += f'   ({of} {peer:.2f}, ratio {value / peer:.3f})'
            cells[3:] = [f'{peer:.2f}', f'{value / peer:.2f}']
        print(text, flush=True)
        self.rows.append(cells)

    def cells(self, *cells):
        """A row under a head of its own."""
        print(f'{cells[0]:<32}', *(f'{c:>9}' for c in cells[1:]), flush=True)
        self.rows.append(cells)

    def rst(self):
        """Without the columns in which there is nothing."""
        kept = [i for i in range(len(self.head))
                if any(row[i] for row in self.rows)]
        return measured.rst([self.head[i] for i in kept],
                            [[row[i] for i in kept] for row in self.rows])


def driver_env(peer=False):
    env = zink.environment(os.environ)
    env.pop('INTEL_DEBUG', None)
    env['MESA_SHADER_CACHE_DISABLE'] = 'true'
    env.setdefault('XDG_RUNTIME_DIR', tempfile.gettempdir())
    if peer:
        # lavapipe reports a CPU device, which zink takes only when asked.
        env['LIBGL_ALWAYS_SOFTWARE'] = '1'
    env['VK_ICD_FILENAMES'] = LAVAPIPE if peer else os.environ['SAFFRON_ICD']
    env['VK_DRIVER_FILES'] = env['VK_ICD_FILENAMES']
    return env


def stock_env(peer=False):
    """Of Mesa's own driver on the simulated GPU, or of its llvmpipe."""
    env = driver_env()
    for name in (*zink.CHOICES, 'VK_ICD_FILENAMES', 'VK_DRIVER_FILES'):
        env.pop(name, None)
    if peer:
        env['LIBGL_ALWAYS_SOFTWARE'] = '1'
        env['GALLIUM_DRIVER'] = 'llvmpipe'
    else:
        env['LD_PRELOAD'] = os.environ['SAFFRON_SHIM']
    return env


def bench_eu(table, args):
    """Simulated EU instructions a second, on one core."""
    program = os.path.join(args.build, 'src/intel/sim/tests/bench_eu')
    out = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    for name, simd8 in re.findall(r'^(.*?)\s{2,}.*?([\d.]+) million SIMD8/s',
                                  out, re.MULTILINE):
        table.row(name, float(simd8), 'million SIMD8/s')


def bench_doubles(table, args):
    """Cycles that a quotient, a root, ... costs on the simulated Skylake."""
    program = os.path.join(args.build, 'tests/fp64/test_fp64_cycles')
    out = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                         env=dict(os.environ, SAFFRON_TEST_GEN='skl')).stdout
    table.head = ['operation', 'cycles', 'issue', 'limit']
    for row in re.findall(
            r'^(\S.*?)\s{2,}.*? ([\d.]+) cycles\s+([\d.]+) issue, '
            r'limit (\d+)', out, re.MULTILINE):
        table.cells(row[0], *(f'{float(c):.0f}' for c in row[1:]))


def bench_draw(table, args):
    """Whole draws on the simulated GPU, with one host thread and with all."""
    program = os.path.join(args.build, 'src/intel/sim/tests/bench_draw')
    out = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    table.head = ['draws', 'unit', '1 thread', 'all threads', 'ratio']
    for name, one, unit, many, ratio in re.findall(
            r'^(\S.*?)\s{2,}([\d.]+) (\S+)\s+([\d.]+) \S+\s+([\d.]+)$', out,
            re.MULTILINE):
        table.cells(name, unit, one, many, ratio)


def counted(command, env):
    """{row: (instructions, unit)} of what tests/draws times, by callgrind."""
    found = {}
    with tempfile.TemporaryDirectory() as tmp:
        profile = os.path.join(tmp, 'profile')
        subprocess.run(['valgrind', '-q', '--tool=callgrind',
                        f'--callgrind-out-file={profile}', *command],
                       stdout=subprocess.DEVNULL, env=env, check=True)
        for path in glob.glob(profile + '.*'):
            with open(path, encoding='utf-8') as f:
                text = f.read()
            trigger = re.search(r'^desc: Trigger: Client Request: (.*)/(\d+)$',
                                text, re.MULTILINE)
            total = re.search(r'^(?:totals|summary): (\d+)', text,
                              re.MULTILINE)
            if trigger and total:
                value = int(total[1]) / int(trigger[2])
                name = trigger[1]
                if name not in found or value < found[name][0]:
                    found[name] = value, 'instructions'
    return found


def draws(args, icd, preload=None):
    """{row: (value, unit)} of tests/draws; batches are dropped."""
    program = os.path.join(args.build, 'tests/draws/draws')
    env = dict(os.environ, SAFFRON_SIM_DRY_RUN='1', VK_DRIVER_FILES=icd,
               VK_ICD_FILENAMES=icd, MESA_SHADER_CACHE_DISABLE='true')
    env.pop('INTEL_DEBUG', None)
    if preload:
        env['LD_PRELOAD'] = preload
    if args.count:
        return counted([program, '2000'], env)
    out = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                         env=env, check=True).stdout
    return {name: (float(value), unit) for name, value, unit in re.findall(
        r'^(.*): ([\d.]+) (\S+)$', out, re.MULTILINE)}


def bench_draws(table, args):
    """What draws, pipelines and descriptors cost a driver's CPU, beside
    Mesa's driver for the same GPU."""
    if args.count and not shutil.which('valgrind'):
        print('instructions: install valgrind')
        return
    ours = draws(args, os.environ['SAFFRON_ICD'])
    icd = pipelines.ICD % ('icd' if args.gen == 'skl' else 'hasvk_icd')
    peer = draws(args, icd, os.environ['SAFFRON_SHIM'])
    for name, (value, unit) in ours.items():
        table.row(name, value, unit, peer.get(name, (None,))[0],
                  pipelines.MESA)


def sent_for(env, program, trace):
    """[(row, packets, dwords)] of tests/draws/packets: what the chip is told
    before the draw of each row, when it has had all of them before."""
    names = subprocess.run(
        [program], stdout=subprocess.PIPE, text=True, check=True,
        env=dict(env, SAFFRON_SIM_TRACE_FILE=trace,
                 SAFFRON_SIM_TRACE_FILTER='threads=0')).stdout.splitlines()
    listing = subprocess.run(
        [os.path.join(ROOT, 'bin', 'saffron'), 'trace', '--commands', trace],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    draws_of, sent = [], []
    for line in listing.splitlines():
        command = re.match(r'   0x\w+  (\S+) \((\d+) dwords\)$', line)
        if command and command[1] != '3DPRIMITIVE':
            sent.append(int(command[2]))
        elif ' 2 instances;' in line:
            draws_of.append((len(sent), sum(sent)))
            sent = []
    if len(draws_of) != 2 * len(names):
        raise ValueError(f'{len(draws_of)} draws of {2 * len(names)}')
    return [(name, *counts)
            for name, counts in zip(names, draws_of[len(names):])]


def bench_packets(table, args):
    """Packets that a change of state takes, beside Mesa's own driver."""
    program = os.path.join(args.build, 'tests', 'draws', 'packets')
    table.head = ['change', 'packets', "Mesa's", 'dwords', "Mesa's"]
    with tempfile.TemporaryDirectory() as tmp:
        ours, peer = (sent_for(env, program, os.path.join(tmp, name))
                      for name, env in (('ours', driver_env()),
                                        ('peer', stock_env())))
    for mine, theirs in zip(ours, peer):
        table.cells(mine[0], mine[1], theirs[1], mine[2], theirs[2])


def sections(text):
    """{header: body} of a shader_test file."""
    parts = re.split(r'^\[(.*?)\]\s*$', text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def to_vulkan_glsl(source):
    """glslang's Vulkan dialect wants locations, and uniforms in a block;
    piglit's generated tests are regular enough for that."""
    source = re.sub(r'^#(version|extension).*\n', '', source,
                    flags=re.MULTILINE)
    uniforms = re.findall(r'^uniform (.*?);', source, re.MULTILINE)
    source = re.sub(r'^uniform .*?;\n', '', source, flags=re.MULTILINE)
    head = '#version 450\nlayout(location = 0) out vec4 saffron_color;\n'
    if uniforms:
        head += ('layout(std140, set = 0, binding = 0) uniform Block {\n'
                 + ''.join(f'   {u};\n' for u in uniforms) + '};\n')
    source = re.sub(r'^(layout\(.*?\) )?out vec4 \w+;\n', '', source,
                    flags=re.MULTILINE)
    return head + re.sub(r'\b(gl_FragColor|color)\b', 'saffron_color', source)


def bench_compile(table, args):
    """Stage shaders a second of CPU time, beside Mesa's driver."""
    totals, tests = pipelines.stages_per_second(args.build, args.gen,
                                                args.every)
    (stages, seconds), peer = (totals[d] for d in (pipelines.OURS,
                                                   pipelines.MESA))
    table.row(f'{tests} tests', stages / seconds, 'stage shaders/s',
              peer[0] / peer[1], pipelines.MESA)
    compile_fp64(table, args)


def bench_growth(table, args):
    """CPU time and memory for shaders of any size, beside Mesa's driver."""
    table.head = ['shader', 'ours, s', 'MiB', 'Mesa, s', 'MiB', 'ratio']
    for name, costs in pipelines.growth(args.build, args.gen,
                                        pipelines.SHAPES):
        ours, peer = (costs.get(d) for d in (pipelines.OURS, pipelines.MESA))
        table.cells(name, *(f(c) if c else '' for c in (ours, peer) for f in (
            lambda c: f'{c[0]:.3f}', lambda c: f'{c[1] / 1024:.0f}')),
                    f'{ours[0] / peer[0]:.2f}' if ours and peer else '')


def gotos_anywhere(blocks):
    """NIR text of a function whose blocks follow each other, every third of
    which may go to any other: most of it is one irreducible loop."""
    draw = random.Random(3)
    lines = ['shader: MESA_SHADER_COMPUTE', 'decl_function main (0 params)',
             'impl main {', 'block block_0:',
             'vec1 32 ssa_0 = load_const (0x00000000)',
             'vec1 32 ssa_1 = intrinsic load_local_invocation_index () ()',
             'goto block_1']
    for b in range(1, blocks + 1):
        lines.append(f'block block_{b}:')
        if b == blocks:
            lines.append('return')
        elif b % 3:
            lines += ['intrinsic store_output (ssa_1, ssa_0) '
                      f'(base={b}, wrmask=1)', f'goto block_{b + 1}']
        else:
            to = draw.randint(1, blocks)
            lines += [f'vec1 1 ssa_{b + 2} = ieq ssa_1, ssa_0',
                      f'goto block_{to if to != b + 1 else 1} if ssa_{b + 2} '
                      f'else block_{b + 1}']
    return '\n'.join(lines + [f'block block_{blocks + 1}:', '}', ''])


def bench_structurize(table, args):
    """Irreducible control flow made structured: CPU time a block, for eight
    times as many blocks beside the smaller."""
    tool = os.path.join(args.build, 'src/intel/tools/saffron-structurize')
    each = []
    for blocks in (1250, 10000):
        begin = children_cpu()
        subprocess.run([tool, '-'], input=gotos_anywhere(blocks).encode(),
                       stdout=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, NIR_DEBUG='novalidate'))
        each.append(1e6 * (children_cpu() - begin) / blocks)
    table.row('10000 blocks', each[1], 'us/block', each[0], '1250 blocks')


def compile_fp64(table, args):
    """Time to compile each fragment shader of piglit's fp64 built-in tests,
    SPIR-V to EU code; the program's start is measured and taken off."""
    tool = os.path.join(args.build, 'src/intel/tools/saffron-compile')
    times, start_up = [], []
    with tempfile.TemporaryDirectory() as tmp:
        files = sorted(glob.glob(os.path.join(FP64_TESTS, 'fs-*')))
        for path in files[::max(1, len(files) // args.shaders)]:
            with open(path, encoding='utf-8') as f:
                source = sections(f.read()).get('fragment shader')
            glsl = os.path.join(tmp, 'a.frag')
            spirv = os.path.join(tmp, 'a.spv')
            with open(glsl, 'w', encoding='utf-8') as f:
                f.write(to_vulkan_glsl(source))
            done = subprocess.run(['glslangValidator', '-V', glsl, '-o',
                                   spirv], stdout=subprocess.DEVNULL)
            if done.returncode != 0:
                continue
            begin = time.perf_counter()
            done = subprocess.run([tool, f'--gen={args.gen}', '--stats=json',
                                   '--stage=frag', spirv], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            middle = time.perf_counter()
            subprocess.run([tool, '--help'], stdout=subprocess.DEVNULL)
            end = time.perf_counter()
            if done.returncode == 0:
                times.append(middle - begin)
                start_up.append(end - middle)
    if not times:
        print('compile: no shader could be compiled')
        return
    base = statistics.median(start_up)
    table.row(f'median of {len(times)} fp64 shaders',
              1e3 * (statistics.median(times) - base), 'ms')
    table.row('slowest of them', 1e3 * (max(times) - base), 'ms')


def children_cpu():
    """Seconds of CPU time of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def gears_fps(env, seconds):
    """Frames a second of glxgears in a window under Xvfb; milliseconds of CPU
    time a frame, with those of the X server and of the start."""
    command = ['xvfb-run', '-a', '-s', '-screen 0 640x480x24', 'timeout',
               str(seconds), 'glxgears']
    begin = children_cpu()
    done = subprocess.run(command, env=dict(env, vblank_mode='0'), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    cpu = children_cpu() - begin
    rates = re.findall(r'= ([\d.]+) FPS', done.stdout)
    fps = statistics.median(map(float, rates)) if rates else 0.0
    return fps, 1e3 * cpu / (fps * seconds) if fps else 0.0


def gears_rows(table, name, ours, peer, of='zink over lavapipe'):
    """Of frames a second and CPU time a frame."""
    table.row(name, ours[0], 'frames/s', peer[0], of)
    table.row(f'{name}, CPU time', ours[1], 'ms/frame', peer[1], of)


def bench_gears(table, args):
    if not shutil.which('xvfb-run'):
        print('glxgears: xvfb-run is missing')
        return
    peer = gears_fps(driver_env(peer=True), 12)
    gears_rows(table, 'glxgears', gears_fps(driver_env(), 12), peer)


def run_piglit(env, tests):
    """Seconds that the tests named in a file take, and of CPU time."""
    with tempfile.TemporaryDirectory() as out:
        begin, begin_cpu = time.perf_counter(), children_cpu()
        subprocess.run(['piglit', 'run', '-p', 'surfaceless_egl', '-l',
                        'quiet', '--test-list', tests, 'quick_shader',
                        os.path.join(out, 'r')], env=env,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - begin, children_cpu() - begin_cpu


def test_list(name, out):
    """Path of a copy without comments of a list of piglit tests, which
    piglit would take for names; and how many there are."""
    with open(os.path.join(ROOT, 'tests', 'piglit', name),
              encoding='utf-8') as f:
        names = [l for l in f if l.strip() and not l.startswith('#')]
    path = os.path.join(out, name)
    with open(path, 'w', encoding='utf-8') as f:
        f.writelines(names)
    return path, len(names)


def bench_piglit(table, args):
    with tempfile.TemporaryDirectory() as out:
        compare_piglit(table, *test_list('ci-driver.txt', out))


def compare_piglit(table, tests, count):
    peer = run_piglit(driver_env(peer=True), tests)
    ours = run_piglit(driver_env(), tests)
    table.row(f'piglit: {count} tests', count / ours[0], 'tests/s',
              count / peer[0])
    table.row(f'piglit: {count} tests, CPU time', ours[1], 's', peer[1])


def bench_judged(table, args):
    """CPU time of every eighth test of CI's list in strict mode and with
    chaos, beside that without."""
    with tempfile.TemporaryDirectory() as out:
        tests, _ = test_list('ci-driver.txt', out)
        with open(tests, encoding='utf-8') as f:
            names = sorted(f)[::8]
        with open(tests, 'w', encoding='utf-8') as f:
            f.writelines(names)
        env = driver_env()
        plain = run_piglit(env, tests)[1]
        table.row(f'piglit: {len(names)} tests, CPU time', plain, 's')
        for name, more in (
                ('strict', {'SAFFRON_SIM_STRICT': 'report',
                            'SAFFRON_SIM_STRICT_LOG': os.devnull}),
                ('chaos', {'SAFFRON_SIM_CHAOS': '1'})):
            table.row(f'piglit: {len(names)} tests, {name}, CPU time',
                      run_piglit(dict(env, **more), tests)[1], 's', plain,
                      'without')


def peak_memory(env, command):
    """Peak resident memory of a program, in MiB."""
    return memory_and_cpu(env, command)[0]


def memory_and_cpu(env, command):
    """Peak resident memory of a program, in MiB; its CPU time in seconds."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvpe(command[0], command, env)
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def bench_demo(table, args):
    """The demo's double picture: seconds, instructions, memory."""
    program = os.path.join(args.build, 'demo', 'mandelbrot')
    with tempfile.TemporaryDirectory() as tmp:
        command = [program, 'double', '480', '360',
                   os.path.join(tmp, 'a.ppm')]
        stats = os.path.join(tmp, 'stats.json')
        env = dict(driver_env(), SAFFRON_SIM_STATS=stats)
        begin = time.perf_counter()
        memory, cpu = memory_and_cpu(env, command)
        seconds = time.perf_counter() - begin
        with open(stats, encoding='utf-8') as f:
            instructions = json.load(f)['eu_instructions']
        begin = time.perf_counter()
        peer_memory, peer_cpu = memory_and_cpu(driver_env(peer=True), command)
        peer = time.perf_counter() - begin
    table.row('demo, double', seconds, 's', peer)
    table.row('demo, double: CPU time', cpu, 's', peer_cpu)
    table.row('demo, double: EU instructions', instructions / 1e6 / seconds,
              'million/s, start-up included')
    table.row('demo, double: peak memory', memory, 'MiB', peer_memory)


# What 'saffron run --record' sets.
RECORDING = {'SAFFRON_SIM_TRACE_FILE': '{}',
             'SAFFRON_SIM_TRACE_FILTER': 'memory,threads=0,nocommands',
             'SAFFRON_SHADER_NOTES': '{}.shaders'}
PAIRS = 5


def recording_pairs(run):
    """(with, without) of run(environment), one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rec')
        more = {k: v.format(path) for k, v in RECORDING.items()}
        for _ in range(PAIRS):
            for name in glob.glob(path + '*'):
                os.remove(name)
            plain = run(driver_env())
            yield path, run({**driver_env(), **more}), plain


def size_mib(path):
    return sum(os.path.getsize(name)
               for name in glob.glob(path + '*')) / 2**20


def recorded_demo(table, args):
    command = [os.path.join(args.build, 'demo', 'mandelbrot'), 'float',
               '960', '720', os.devnull]

    def run(env):
        begin = time.perf_counter()
        _, cpu = memory_and_cpu(env, command)
        return cpu, time.perf_counter() - begin
    found = [(ours, plain, size_mib(path))
             for path, ours, plain in recording_pairs(run)]
    middle = sorted(found, key=lambda row: row[0][0] / row[1][0])[PAIRS // 2]
    table.row('demo, recorded, CPU time', middle[0][0], 's', middle[1][0],
              'without')
    table.row('demo, recorded, file', middle[2] / middle[1][1], 'MiB/s')


def one_pixel_s(args, path):
    """CPU time of a pixel's history in the last batch that draws."""
    tool = os.path.join(args.build, 'src/intel/tools/saffron-trace')

    def trace(*options):
        return subprocess.run([tool, *options, path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True,
                              check=False).stdout
    batch = json.loads(trace('--json'))['draws'][-1]['batch']
    before = children_cpu()
    text = trace('--history=150,150', f'--batches={batch}')
    assert 'written' in text, text
    return children_cpu() - before


def recorded_gears(table, args):
    seconds = 7
    found = []
    for path, ours, plain in recording_pairs(
            lambda env: gears_fps(env, seconds)):
        found.append((ours[1] / plain[1], ours, plain,
                      size_mib(path) / (ours[0] * seconds)))
        pixel_s = one_pixel_s(args, path)
    _, ours, plain, frame_mib = sorted(found)[PAIRS // 2]
    table.row('glxgears, recorded, CPU time', ours[1], 'ms/frame', plain[1],
              'without')
    table.row('glxgears, recorded, file', 1024 * frame_mib, 'KiB/frame')
    table.row('glxgears, a pixel of a frame', pixel_s, 's')


def bench_recording(table, args):
    """What --record costs a run: the middle one of pairs, one after the
    other, by their ratio; and what a pixel takes to be drawn again."""
    recorded_demo(table, args)
    if shutil.which('xvfb-run'):
        recorded_gears(table, args)


def texture_frame(env, program, scene, frames):
    """Milliseconds of wall and of CPU time that a frame takes; CPU time as the
    difference between many frames and one."""
    def run(n):
        begin = children_cpu()
        out = subprocess.run([program, scene, str(n)], env=env, text=True,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout
        return float(re.search(r'([\d.]+) ms', out)[1]), children_cpu() - begin
    _, start_up = run(1)
    wall, cpu = run(frames + 1)
    return wall, max(1e3 * (cpu - start_up) / frames, 0.001)


def bench_textures(table, args):
    """Scenes of textures: our driver beside lavapipe, stock iris beside
    llvmpipe."""
    program = os.path.join(args.build, 'demo', 'textures')
    for prefix, env, of in (('', driver_env, 'zink over lavapipe'),
                            ('stock driver: ', stock_env, 'llvmpipe')):
        for scene in ('effect', 'desktop', 'terrain'):
            peer = texture_frame(env(peer=True), program, scene, 60)
            ours = texture_frame(env(), program, scene, 20)
            for i, what in enumerate(('', ', CPU time')):
                table.row(f'{prefix}textures, {scene}{what}', ours[i],
                          'ms/frame', peer[i], of)


def flushes(env, command):
    """PIPE_CONTROLs of a program for each of its draws and dispatches."""
    with tempfile.TemporaryDirectory() as out:
        stats = os.path.join(out, 'stats.json')
        subprocess.run(command, env=dict(env, SAFFRON_SIM_STATS=stats,
                                         PIGLIT_PLATFORM='surfaceless_egl'),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        with open(stats, encoding='utf-8') as f:
            counted = json.load(f)
    return (counted['pipe_controls'] /
            (counted['draws'] + counted['dispatches']))


def bench_flushes(table, args):
    """PIPE_CONTROLs a draw beside those of Mesa's own driver."""
    textures = os.path.join(args.build, 'demo', 'textures')
    tests = [(f'textures {s}', [textures, s, '20'])
             for s in ('effect', 'desktop', 'terrain')]
    with tempfile.TemporaryDirectory() as out:
        tests.append(('demo', [
            os.path.join(args.build, 'demo', 'mandelbrot'), 'float', '64',
            '48', os.path.join(out, 'a.ppm')]))
        for name in FLUSH_TESTS:
            tests.append((os.path.basename(name), [
                os.path.join(PIGLIT, 'bin', 'shader_runner'),
                os.path.join(PIGLIT, 'tests', 'spec', f'{name}.shader_test'),
                '-auto', '-fbo']))
        for name, command in tests:
            table.row(name, flushes(driver_env(), command),
                      'PIPE_CONTROLs a draw', flushes(stock_env(), command),
                      "Mesa's own")


def windowed_fps(env, program, seconds):
    """Frames a second of a program under weston's headless backend, where
    compositor and X server draw with the same driver as the program;
    milliseconds of CPU time a frame, of compositor and program, with those of
    the start."""
    begin_cpu = children_cpu()
    with weston.Weston(env, 340, 340) as screen:
        begin = time.perf_counter()
        rates = screen.matches([program], r'= ([\d.]+) FPS', 3, seconds)
        ran = time.perf_counter() - begin
    fps = statistics.median(map(float, rates)) if rates else 0.0
    cpu = children_cpu() - begin_cpu
    return fps, 1e3 * cpu / (fps * ran) if fps else 0.0


def stock_gears(table):
    if weston.missing():
        print('stock driver, windows: install ' + ' '.join(weston.missing()))
        return
    for program in ('glxgears', 'es2gears_wayland'):
        peer = windowed_fps(stock_env(peer=True), program, 60)
        gears_rows(table, f'stock driver: {program}',
                   windowed_fps(stock_env(), program, 60), peer, 'llvmpipe')


def idle_cpu(env, program, seconds):
    """Milliseconds of CPU time of a context that has drawn and then has
    nothing to do for so many seconds."""
    out = subprocess.run([program, 'idle', str(seconds)], env=env, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=True).stdout
    return float(re.search(r'([\d.]+) ms', out)[1])


def bench_idle(table, args):
    """CPU time of an idle context, our driver's and stock iris's."""
    program = os.path.join(args.build, 'demo', 'textures')
    for name, env in (('idle context', driver_env()),
                      ('stock driver: idle context', stock_env())):
        table.row(f'{name}, CPU time in 5 s', idle_cpu(env, program, 5),
                  'ms')


def bench_stock(table, args):
    """Mesa's own driver on the simulated GPU."""
    stock_gears(table)
    with tempfile.TemporaryDirectory() as out:
        tests, count = test_list('bench-stock.txt', out)
        peer = run_piglit(stock_env(peer=True), tests)
        ours = run_piglit(stock_env(), tests)
        for i, what in enumerate(('', ', CPU time')):
            table.row(f'stock driver: {count} piglit tests{what}', ours[i],
                      's', peer[i], 'llvmpipe')
    idle = ['wflinfo', '--platform', 'surfaceless_egl', '--api', 'gl',
            '--profile', 'core']
    memory = peak_memory(stock_env(), idle)
    table.row('stock driver: peak memory, idle context', memory, 'MiB',
              peak_memory(stock_env(peer=True), idle), 'llvmpipe')
    if memory > IDLE_LIMIT_MIB:
        print(f'stock driver: more than the {IDLE_LIMIT_MIB} MiB that an idle '
              'context may take')


def kernel_bound(path, width):
    """The least cycles of issue of a thread: what the head of the file counts,
    an operation on doubles at a cycle for each invocation, a message at two
    and one for each eight of them."""
    with open(path, encoding='utf-8') as f:
        counts = re.search(r'^# df=(\d+) messages=(\d+)$', f.read(), re.M)
    lanes = 2 if width == 'vec4' else int(width)
    return int(counts[1]) * lanes + int(counts[2]) * (2 + max(lanes // 8, 1))


def kernel_row(drivers, path):
    """Of the stage that takes most; None if one of both did not run it."""
    stock, ours = (d.counted(path) for d in drivers)
    ran = [k for k in ours if 'run issue' in ours[k]['run'] and
           any(s[0] == k[0] and 'run issue' in stock[s]['run']
               for s in stock)]
    if not ran:
        return None
    key = max(ran, key=lambda k: ours[k]['run']['run issue'])
    # Each at the width that it chose: threads of more lanes do more.
    theirs = key if key in stock and stock[key]['run'] else \
        max((s for s in stock if s[0] == key[0] and stock[s]['run']),
            key=lambda s: stock[s]['run']['run issue'])
    lanes = [2 if k[1] == 'vec4' else int(k[1]) for k in (theirs, key)]
    a, b = stock[theirs], ours[key]
    scale = lanes[0] / lanes[1]
    ratios = {c.title: scale * b['run'][c.title] / a['run'][c.title]
              for c in drivers[0].columns if c.name in ('cycles', 'issue')}
    return {'stage': key[0], 'width': key[1], 'theirs': theirs[1],
            'cycles': ratios['run cycles'], 'issue': ratios['run issue'],
            'published cycles': ratios['run cycles published'],
            'published issue': ratios['run issue published'],
            'worst': max(ratios.values()),
            'bound': b['run']['run issue'] / kernel_bound(path, key[1]),
            'stock bound': a['run']['run issue'] /
            kernel_bound(path, theirs[1]),
            'spills': (a['spills'], b['spills']),
            'bytes': (a['bytes'], b['bytes'])}


def bench_kernels(table, args):
    """Doubles as programs use them (tests/kernels), beside Mesa's compiler and
    the least that the chip takes."""
    drivers = [peers.Driver(name, Path(args.build), args.gen,
                            peers.run_columns(True, True))
               for name in ('stock', 'ours')]
    numbers = ('cycles', 'issue', 'published cycles', 'published issue',
               'worst')
    table.head = ['kernel', 'stage', 'width', 'cycles', 'issue',
                  'published', 'issue', 'worst', 'bound', 'theirs',
                  'spills, theirs', 'bytes', 'theirs']
    all_rows = []
    for path in sorted(glob.glob(os.path.join(KERNELS, '*.shader_test'))):
        name = os.path.basename(path).split('.')[0]
        r = kernel_row(drivers, path)
        if not r:
            print(f'{name:16} did not run in both')
            continue
        all_rows.append(r)
        width = r['width'] if r['width'] == r['theirs'] else \
            f"{r['theirs']}>{r['width']}"
        spills = ', '.join(map(str, reversed(r['spills'])))
        table.cells(name, r['stage'], width,
                    *(f'{r[c]:.2f}' for c in numbers),
                    f"{r['bound']:.2f}", f"{r['stock bound']:.2f}",
                    '' if spills == '0, 0' else spills,
                    *reversed(r['bytes']))
    table.cells('geometric mean', '', '', *(
        f'{statistics.geometric_mean(r[c] for r in all_rows):.2f}'
        for c in numbers), *[''] * 5)


def bench_accuracy(table, args):
    """Operations on doubles against their claims, on every generation; and
    instructions of a kernel with one of them."""
    program = os.path.join(args.build, 'tests/fp64/test_fp64')
    table.head = ['operation', 'claim', 'max ulp', 'samples', *GENERATIONS]
    found = {}
    for gen in GENERATIONS:
        out = subprocess.run([program, str(args.samples)], text=True,
                             stdout=subprocess.PIPE, check=True,
                             env=dict(os.environ, SAFFRON_TEST_GEN=gen)).stdout
        for name, claim, ulp, samples, size in re.findall(
                r'^(.{14}) {10}(.{18}) max (\S+) +ulp +(\d+) samples  0 wrong '
                r' *(\d+) instructions$', out, re.MULTILINE):
            row = found.setdefault(name.strip(), [claim.strip(), 0, samples])
            row[1] = max(row[1], float(ulp))
            row.append(size)
    for name, (claim, ulp, samples, *sizes) in found.items():
        shown = f'``{name}``' if name[0] in '<>=!' else name
        table.cells(shown, claim, f'{ulp:g}',
                    f'{int(samples):,}'.replace(',', ' '), *sizes)


BENCHES = {'eu': bench_eu, 'accuracy': bench_accuracy,
           'doubles': bench_doubles, 'kernels': bench_kernels,
           'draw': bench_draw, 'draws': bench_draws,
           'packets': bench_packets,
           'compile': bench_compile, 'growth': bench_growth,
           'structurize': bench_structurize,
           'demo': bench_demo, 'textures': bench_textures,
           'gears': bench_gears, 'piglit': bench_piglit,
           'judged': bench_judged, 'flushes': bench_flushes,
           'idle': bench_idle, 'recording': bench_recording,
           'stock': bench_stock}

# Whose tables are not in performance.rst.
PAGES = {'accuracy': 'fp64.rst'}


def main():
    parser = argparse.ArgumentParser(
        prog='bin/saffron bench', description='Measure speed and memory.')
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'),
                        help='build directory')
    parser.add_argument('--gen', default='skl',
                        choices=GENERATIONS,
                        help='of the GPU that drivers draw on and the '
                        'compiler compiles for (default: skl)')
    parser.add_argument('--shaders', type=int, default=100,
                        help='shaders for the compile bench (default: 100)')
    parser.add_argument('--every', type=int, default=20, metavar='N',
                        help='one of N shader tests of piglit for the compile '
                        'bench (default: 20, about a thousand)')
    parser.add_argument('--samples', type=int, default=1000000,
                        help='of each operation for the accuracy bench '
                        '(default: a million)')
    parser.add_argument('--count', action='store_true',
                        help='of the draws bench, instructions that '
                        "Valgrind's callgrind counts, not times: what other "
                        'programs that run do not change')
    parser.add_argument('--rst', action='store_true',
                        help='print each table as reStructuredText, too')
    parser.add_argument('--write', action='store_true',
                        help='put each table into its page of docs/')
    parser.add_argument('bench', nargs='*', choices=[[], *BENCHES],
                        metavar='BENCH',
                        help='which: ' + ', '.join(BENCHES) +
                             ' (default: all)')
    args = parser.parse_args()
    if args.every < 1 or args.shaders < 1:
        parser.error('--every and --shaders are 1 or more')
    os.environ['SAFFRON_DEVICE'] = f'sim:{args.gen}'
    where_from = measured.origin(args.build)
    print(where_from, flush=True)
    for name in args.bench or BENCHES:
        print(f'{name}:', flush=True)
        table = Table()
        BENCHES[name](table, args)
        if args.rst and table.rows:
            print(table.rst())
        if args.write and table.rows:
            gen = f' --gen={args.gen}' if args.gen != 'skl' else ''
            if args.count and name == 'draws':
                gen += ' --count'
            try:
                measured.write(PAGES.get(name, 'performance.rst'),
                               f'bin/saffron bench {name}{gen}', where_from, table.rst())
            except ValueError as error:
                parser.error(str(error))
    print(f'CPU time of all of it: {children_cpu():.0f} s')
    return 0


if __name__ == '__main__':
    sys.exit(main())
