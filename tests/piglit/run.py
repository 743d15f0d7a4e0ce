#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Debian's piglit on the driver and compares with what is expected; the
back end of `bin/saffron piglit`, which sets the driver's environment.

Expectations are in driver.txt and GEN.txt beside this file (stock.txt and
stock-GEN.txt for Mesa's own driver on the simulated GPU, --stock; opencl.txt
and opencl-GEN.txt for Intel's OpenCL driver there, --opencl), in the form of
expectations.py. Lines that say 'needs a window' hold without a window
system alone; those of window.txt (stock-window.txt) and those that say 'in a
window' with one alone.
With --chaos the tests of chaos.txt run without the kind that their line begins
with, and all tests end as they do without chaos.

In windows what does not end as expected runs again, one at a time. Tests run
in parts, so that a long run says how far it is and what is not as
expected. With --tsv every result is written down at the end of its part;
--resume goes on from such a file.
"""
import argparse
import bz2
import concurrent.futures
import functools
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ran  # noqa
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, 'bin'))
from command import chips  # noqa
sys.path.insert(0, os.path.dirname(HERE))
from expectations import (Expectations, broken_rules, check_options,  # noqa
                          hashed, print_broken, read_list, read_results,
                          shard_of, start_strict_log)

# piglit's words; 'warn' is a pass that had something to say.
STATUSES = ('pass', 'fail', 'crash', 'skip', 'timeout', 'incomplete', 'warn',
            'notrun')
# Of chaos that a line of chaos.txt may begin with.
CHAOS_KINDS = ('math',)
# shader_runner takes many files; it numbers them, and says how each ended.
SHADER_TEST = re.compile(r'(\S+)/(shader_runner\w*) (\S+\.shader_test) '
                         r'-auto -fbo$')
STARTED = re.compile(r'^PIGLIT TEST: (\d+) - ', re.M)
GOOD = re.compile(r'^PIGLIT: \{"subtest": \{".*" : "(pass|skip)"\}\}', re.M)
PLATFORMS = ('surfaceless_egl', 'mixed_glx_egl', 'glx', 'x11_egl', 'wayland',
             'gbm')
# Where Debian's intel-opencl-icd is named to the loader of OpenCL drivers; the
# generations that it drives.
OPENCL = '/etc/OpenCL/vendors/intel.icd'
OPENCL_GENS = ('bdw', 'skl')
PIGLIT_BIN = '/usr/lib/x86_64-linux-gnu/piglit/bin'
# Tests of a part: each costs a start of piglit, seconds in which it reads the
# profile.
PART = 1000


@functools.cache
def commands(profile):
    """{test: command} of a profile."""
    done = subprocess.run(['piglit', 'print-cmd', '--format',
                           '{name}\t{command}', profile],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"saffron: piglit has no profile '{profile}'")
    return dict(line.split('\t', 1) for line in done.stdout.splitlines())


def all_tests(profile, patterns):
    """Names in a profile that match any of the patterns (all if none)."""
    names = list(commands(profile))
    if not patterns:
        return names
    wanted = [re.compile(p, re.IGNORECASE) for p in patterns]
    return [n for n in names if any(w.search(n) for w in wanted)]


def listed_tests(path, profile, known_only):
    """Names in a file, each of which the profile has; with known_only those
    that it has."""
    names = read_list(path)
    unknown = [n for n in names if n not in commands(profile)]
    if known_only and len(unknown) < len(names):
        print(f'{len(unknown)} of {len(names)} names are no tests of this '
              'piglit')
        return [n for n in names if n in commands(profile)]
    if unknown:
        more = f' ({len(unknown)} such names)' if len(unknown) > 1 else ''
        sys.exit(f"saffron: {path}: '{unknown[0]}' is no test of "
                 f'{profile}{more}')
    return names


def time_limit():
    """Seconds that a test may take. What watches it may make it as many times
    slower as chaos may (docs/performance.rst, "Strict mode and chaos")."""
    watched = ('SAFFRON_SIM_STRICT', 'SAFFRON_SIM_CHAOS')
    return 900 * (4 if any(map(os.environ.get, watched)) else 1)


def by_chaos(names, spared):
    """[(names, what SAFFRON_SIM_CHAOS is for them)]: without the kind that
    Expectations 'spared' have for a test."""
    chaos = os.environ.get('SAFFRON_SIM_CHAOS')
    if not chaos:
        return [(names, '')]
    groups = {}
    for name in names:
        kind = spared.of(name)
        left = chaos if kind == 'pass' else \
            f"{chaos}{',' if ':' in chaos else ':'}-{kind}"
        groups.setdefault(left, []).append(name)
    return [(group, left) for left, group in groups.items()]


def has_windows(args):
    return args.platform not in ('surfaceless_egl', 'gbm')


def environment(args, chaos):
    """Of the tests: with --stock, Mesa's own driver finds a simulated GPU."""
    env = dict(os.environ, SAFFRON_SIM_CHAOS=chaos)
    if args.stock:
        env['LD_PRELOAD'] = args.stock
    if args.opencl:
        env['OCL_ICD_VENDORS'] = OPENCL
    return env


def good_in_one_process(batch, args, chaos):
    """{name: 'pass' or 'skip'} of those of [(name, runner, file)] of which one
    shader_runner says so. How others ended is not asked: an end of the
    process, or what one test leaves to the next, may be the reason."""
    env = environment(args, chaos)
    env['PIGLIT_PLATFORM'] = args.platform.replace('mixed_glx_egl', 'glx')
    command = [os.path.join(PIGLIT_BIN, batch[0][1])]
    command += [file for _, _, file in batch]
    command += ['-auto', '-fbo', '-report-subtests']
    with tempfile.TemporaryFile('w+', errors='replace') as out:
        try:
            subprocess.run(command, env=env, stdout=out,
                           stdin=subprocess.DEVNULL,
                           stderr=subprocess.STDOUT,
                           timeout=args.timeout + len(batch))
        except subprocess.TimeoutExpired:
            pass
        out.seek(0)
        _, *parts = STARTED.split(out.read())
    ends = ((batch[int(number) - 1][0], GOOD.search(text))
            for number, text in zip(parts[::2], parts[1::2]))
    return {name: end[1] for name, end in ends if end}


def run_batches(profile, names, args, chaos):
    """Runs shader tests args.batch to a process, which saves starting and
    ending it: {test: 'pass' or 'skip'} of those that end so."""
    by_runner = {}
    known = commands(profile)
    for name in names:
        match = SHADER_TEST.match(known.get(name, ''))
        if match:
            by_runner.setdefault(match[2], []).append(
                (name, match[2], match[3]))
    batches = [tests[i:i + args.batch] for tests in by_runner.values()
               for i in range(0, len(tests), args.batch)]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        done = 0
        for good in pool.map(lambda b: good_in_one_process(b, args, chaos),
                             batches):
            results.update(good)
            done += 1
            if args.verbose:
                print(f'{done}/{len(batches)} batches, '
                      f'{len(results)} pass or skip', flush=True)
    return results


def run_piglit(profile, names, args, out, chaos):
    """Runs the named tests; what piglit's own result file says."""
    listed = os.path.join(out, 'list')
    with open(listed, 'w', encoding='utf-8') as f:
        f.write('\n'.join(names) + '\n')
    command = ['piglit', 'run', '-p', args.platform, '-l',
               'verbose' if args.verbose else 'quiet', '--test-list', listed,
               '--timeout', str(args.timeout), '--ignore-missing',
               '-j', str(args.jobs)]
    results = os.path.join(out, 'results')
    done = subprocess.run(command + [profile, results],
                          env=environment(args, chaos),
                          stdout=None if args.verbose else subprocess.DEVNULL)
    found = glob.glob(os.path.join(results, 'results.json*'))
    if not found:
        sys.exit(f'saffron: piglit gave no results (exit {done.returncode})')
    opener = bz2.open if found[0].endswith('.bz2') else open
    with opener(found[0], 'rt', encoding='utf-8', errors='replace') as f:
        return json.load(f)


def run_part(names, expected, args, kept, chaos):
    """Runs the named tests; {test: status}. What piglit says of those that
    ran alone goes to 'kept', in the form of its own file."""
    results = {}
    if args.batch > 1:
        results = run_batches(args.profile, names, args, chaos)
        # A context that tests before have left may lack what one asks for.
        for name, _, _ in expected.differences(results):
            del results[name]
    alone = [name for name in names if name not in results]
    if alone:
        with tempfile.TemporaryDirectory(prefix='saffron-piglit-') as out:
            said = run_piglit(args.profile, alone, args, out, chaos)
        results.update({n: t['result'] for n, t in said['tests'].items()})
        kept['tests'] = {**kept.get('tests', {}), **said['tests']}
        for key, value in said.items():
            kept.setdefault(key, value)
    for name in names:
        results.setdefault(name, 'incomplete')
    return results


def write_tsv(path, results):
    """In place of what was there, in one step."""
    with open(path + '.part', 'w', encoding='utf-8') as f:
        f.writelines(f'{n}\t{results[n]}\n' for n in sorted(results))
    os.replace(path + '.part', path)


def print_rows(rows, where=''):
    for name, want, got in rows:
        print(f'{name}: expected {want}, got {got}{where}', flush=True)


def run_again(got, expected, args, kept, chaos):
    """What did not end as expected in a window runs again, one at a time:
    windows of other tests disturb it (docs/testing.rst). Says how both
    ended."""
    rows = expected.differences(got)
    if not rows:
        return
    print_rows(rows, ' beside other windows')
    alone = argparse.Namespace(**{**vars(args), 'jobs': 1, 'batch': 1})
    got.update(run_part([name for name, _, _ in rows], expected, alone, kept,
                        chaos))


def run_parts(names, results, expected, spared, args):
    """Runs the named tests by parts and adds to {test: status}; prints what
    is not as expected, and how far it is if there are several parts."""
    kept = {}
    for at in range(0, len(names), PART):
        got = {}
        for group, chaos in by_chaos(names[at:at + PART], spared):
            ended = run_part(group, expected, args, kept, chaos)
            if has_windows(args):
                run_again(ended, expected, args, kept, chaos)
            got.update(ended)
        results.update(got)
        print_rows(expected.differences(got))
        if args.tsv:
            write_tsv(args.tsv, results)
        if len(names) > PART:
            print(f'{min(at + PART, len(names))} of {len(names)} tests ran',
                  file=sys.stderr, flush=True)
    if args.results:
        with open(args.results, 'w', encoding='utf-8') as f:
            json.dump(kept, f)


def check_opencl(parser, args, gen):
    """--opencl is for what the driver drives, and wants it installed."""
    if not args.opencl:
        return
    if not args.stock:
        parser.error('--opencl wants --stock=LIBRARY (bin/saffron names it)')
    if gen not in OPENCL_GENS:
        parser.error(f'--opencl is for {" and ".join(OPENCL_GENS)}')
    if not os.path.exists(OPENCL):
        sys.exit('saffron: --opencl wants the package intel-opencl-icd')


def mode():
    """Of the simulated GPU, as ran.txt has it."""
    return 'chaos' if os.environ.get('SAFFRON_SIM_CHAOS') else \
        'strict' if os.environ.get('SAFFRON_SIM_STRICT') else 'plain'


def said(count, broken):
    """How the tests of a run ended, and which rules were broken."""
    counts = ', '.join(f'{n} {s}' for s, n in count.items() if n)
    rules = ' '.join(sorted(broken))
    return f'{counts}; broken: {rules}' if rules else counts


def unsettled(broken, driver, gen):
    """Of the rules that were broken, those that the driver is not known to
    break."""
    if driver == 'driver':
        return list(broken)
    table = ran.rules()
    return [rule for rule in broken
            if not table.is_settled(rule, gen, driver == 'opencl')]


def main():
    parser = argparse.ArgumentParser(
        prog='bin/saffron piglit',
        description="Run Debian's piglit through stock libGL on the driver.",
        epilog='With --strict[=fault] and --rules=LIST (bin/saffron run '
        '--help) the rules of the chips are checked, too. Exit code: 0 when '
        'every result is as expected and no rule is broken, but what '
        "'bin/saffron rules' says that stock drivers do; else 1.")
    parser.add_argument('--gen', default='skl',
                        help='generation (skl, bdw, hsw or ivb), or another '
                        'chip of one (kbl, skl-gt1), of which the same is '
                        'expected')
    parser.add_argument('--stock', nargs='?', metavar='LIBRARY',
                        help="run Mesa's own driver on the simulated GPU "
                        'instead of ours (bin/saffron names the library)')
    parser.add_argument('--opencl', action='store_true',
                        help="run Intel's own OpenCL driver (Debian's "
                        'intel-opencl-icd) on the simulated GPU, skl or bdw')
    parser.add_argument('--profile',
                        help='piglit profile (default: quick_shader, with '
                        '--opencl cl)')
    parser.add_argument('-t', dest='patterns', metavar='REGEX',
                        action='append', default=[],
                        help='only tests that match; may be repeated')
    parser.add_argument('--list', metavar='FILE',
                        help='only the tests named in FILE, one a line')
    parser.add_argument('--known', action='store_true',
                        help='of --list, those that this piglit has: it may '
                        'be another than the list is of')
    parser.add_argument('--shard', metavar='K/N',
                        help='every N-th test from the K-th on')
    parser.add_argument('--every', type=int, metavar='N',
                        help='one test in N, drawn by a hash of its name')
    parser.add_argument('--platform', default='surfaceless_egl',
                        choices=PLATFORMS, metavar='PLATFORM',
                        help='window system (default: surfaceless_egl, with '
                        '--window, for which bin/saffron runs a display, '
                        'mixed_glx_egl); glx, x11_egl and wayland want one')
    parser.add_argument('--timeout', type=int, default=time_limit(),
                        help='seconds a test may take (default: 900, with '
                        '--strict or --chaos 3600)')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count(),
                        help='tests at a time (default: one a core)')
    parser.add_argument('--batch', type=int, default=1, metavar='N',
                        help='shader tests to a process; what does not end '
                        'as expected so runs again alone (default: 1)')
    parser.add_argument('--json', metavar='FILE',
                        help='write counts and unexpected results')
    parser.add_argument('--results', metavar='FILE',
                        help="keep piglit's own result file")
    parser.add_argument('--tsv', metavar='FILE',
                        help='write test, result; one a line, as they come')
    parser.add_argument('--resume', action='store_true',
                        help='leave out what --tsv has from before')
    parser.add_argument('--record', action='store_true',
                        help='if all is as expected, note with which rules '
                        'this part ran (tests/piglit/ran.txt)')
    parser.add_argument('--current', action='store_true',
                        help='run nothing: say which of the noted parts ran '
                        'with the rules of today; exit code 1 if not all did')
    parser.add_argument('-v', '--verbose', action='store_true',
                        help="show piglit's own progress")
    args = parser.parse_args()
    if args.resume and not args.tsv:
        parser.error('--resume wants --tsv')
    check_options(parser, args, ('jobs', 'timeout', 'batch', 'every'),
                  ('json', 'results', 'tsv'))

    gen = chips.family(os.path.join(ROOT, chips.SOURCE), args.gen)
    if not gen:
        parser.error(f'no chip is called {args.gen}')
    driver = 'opencl' if args.opencl else 'stock' if args.stock else 'driver'
    if args.record and (args.list or args.patterns or args.shard):
        parser.error('--record is for a profile, whole or by --every')
    if args.current:
        return ran.report(driver, gen)
    check_opencl(parser, args, gen)
    args.profile = args.profile or ('cl' if args.opencl else 'quick_shader')
    lists = (['opencl.txt', f'opencl-{gen}.txt'] if args.opencl else
             ['stock.txt', f'stock-{gen}.txt'] if args.stock else
             ['driver.txt', f'{gen}.txt'])
    windowed = has_windows(args)
    if windowed:
        lists.append('stock-window.txt' if args.stock else 'window.txt')
    expected = Expectations([os.path.join(HERE, name) for name in lists],
                            STATUSES,
                            'needs a window' if windowed else 'in a window')
    spared = Expectations([os.path.join(HERE, 'chaos.txt')], CHAOS_KINDS)
    if args.list:
        names = listed_tests(args.list, args.profile, args.known)
        if args.patterns:
            names = [n for n in names if any(
                re.search(p, n, re.IGNORECASE) for p in args.patterns)]
    else:
        names = all_tests(args.profile, args.patterns)
    if args.every:
        names = hashed(names, args.every)
    if args.shard:
        names = shard_of(names, args.shard)
    if not names:
        sys.exit('saffron: no test matches')

    log = start_strict_log()
    results = {}
    if args.resume and os.path.exists(args.tsv):
        known = read_results(args.tsv, STATUSES)
        results = {name: known[name][0] for name in names if name in known}
        print_rows(expected.differences(results))
    run_parts([name for name in names if name not in results], results,
              expected, spared, args)

    rows = expected.differences(results)
    count = {s: sum(r == s for r in results.values()) for s in STATUSES}
    broken = broken_rules(log)
    open_rules = unsettled(broken, driver, gen)
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as f:
            json.dump({'as_expected': len(results) - len(rows),
                       'unexpected': [f'{n}: expected {w}, got {g}'
                                      for n, w, g in rows],
                       'counts': count, 'broken_rules': broken}, f)
    print_broken(broken, log)
    if driver != 'driver' and broken:
        print('strict: not settled: ' +
              (', '.join(sorted(open_rules)) or 'none'))
    if args.record and not rows:
        ran.record((driver, gen, args.profile, mode()), args.every or 1,
                   said(count, broken))
    print(f'{len(rows)} not as expected')
    failed = sum(count[s] for s in ('fail', 'crash', 'timeout', 'incomplete',
                                    'notrun'))
    print(f"{count['pass'] + count['warn']} passed, {failed} failed, "
          f"{count['skip']} skipped")
    return 1 if rows or open_rules else 0


if __name__ == '__main__':
    sys.exit(main())
