#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs packaged programs on the driver and compares what they show with what
llvmpipe (OpenGL, OpenGL ES) or lavapipe (Vulkan) makes of the same program;
the back end of `bin/saffron programs`.

A program shows a window on an X server or a Wayland compositor which draw on
the CPU themselves, of which a picture is taken, or writes a picture itself. Its clock
stands still where it would move something. A program passes if

  - a picture on our driver is like one on the other within a share of the
    pixels (--verbose prints it), each beyond a rounding of three of 255;
  - the simulated GPU has drawn or dispatched something for it;
  - it ends by itself, or is still there when it is ended.

What is not installed is skipped, and named with its packages; with --install
apt gets them before. Ends with 'N passed, N failed, N skipped'; exit code 0
if all that ran passed, 1 if one failed, 2 for a wrong option.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import typing

import layers
import pictures
import weston
import xvfb
from expectations import check_writable

ROOT = pictures.ROOT
INPUTS = os.path.join(ROOT, 'tests', 'programs')
ICDS = '/usr/share/vulkan/icd.d'
GENS = ('skl', 'bdw', 'hsw', 'ivb')
# What says where windows are.
WINDOW = ('DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'vblank_mode')
# Pictures of a program that moves by the frame, at most.
CYCLE = 24
# How long a program runs at the least, and how long the counters of the
# simulated GPU may take after that.
LEAST_S = 2
COUNTERS_S = 20
STILL = pictures.STILL


class Program(typing.NamedTuple):
    """`command` has {out} for the file of a picture that the program writes
    and {in} for tests/programs, `env` {dir} for a folder of its own. `where`
    is 'x11' or 'wayland'; `share` the part of the pixels that may differ;
    `colours` how many a picture has that shows something; `cycles` is set if
    it moves on with each frame, `ci` if it is small enough to be part of
    'bin/saffron test'."""
    name: str
    packages: tuple
    where: str
    command: tuple
    share: float = pictures.EDGE_SHARE
    colours: int = 50
    cycles: bool = False
    env: tuple = ()
    size: tuple = (320, 240)
    seconds: int = 120
    ci: bool = False


QUIET = ('--no-config', '--gpu-sw', '--no-osc', '--osd-level=0', '--pause',
         '--keep-open', '--geometry=320x240+0+0')
PROGRAMS = (
    # Of Mesa and Khronos.
    Program('glxgears', ('mesa-utils', 'faketime'), 'x11',
            (*STILL, 'glxgears', '-geometry', '320x240'), ci=True),
    Program('es2gears_x11', ('mesa-utils', 'faketime'), 'x11',
            (*STILL, 'es2gears_x11'), ci=True),
    # Ten bits a colour.
    Program('es2gears_wayland', ('mesa-utils', 'faketime'), 'wayland',
            (*STILL, 'es2gears_wayland'), size=(300, 300), ci=True),
    Program('vkcube', ('vulkan-tools',), 'x11',
            ('vkcube', '--width', '320', '--height', '240'), cycles=True, ci=True),
    Program('vkcube-wayland', ('vulkan-tools',), 'wayland',
            ('vkcube-wayland', '--width', '320', '--height', '240'),
            cycles=True, ci=True),
    # Benchmarks.
    Program('glmark2', ('glmark2-x11',), 'x11',
            ('glmark2', '-s', '320x240', '--run-forever', '-b',
             'effect2d:kernel=0,1,0;1,-4,1;0,1,0'), ci=True),
    Program('glmark2-es2-wayland', ('glmark2-es2-wayland',), 'wayland',
            ('glmark2-es2-wayland', '-s', '320x240', '--run-forever', '-b',
             'effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1'), ci=True),
    # A browser: WebGL and its own layers.
    Program('chromium', ('chromium',), 'x11',
            ('chromium', '--no-sandbox', '--headless=new', '--use-angle=gl',
             '--ignore-gpu-blocklist', '--window-size=320,240',
             '--screenshot={out}', 'file://{in}/page.html')),
    # Toolkits.
    Program('gtk4', ('gtk-4-examples',), 'x11', ('gtk4-demo', '--run=css'),
            env=(('GDK_BACKEND', 'x11'), ('GSK_RENDERER', 'gl'))),
    Program('gtk4-wayland', ('gtk-4-examples',), 'wayland',
            ('gtk4-demo', '--run=css'),
            env=(('GDK_BACKEND', 'wayland'), ('GSK_RENDERER', 'gl'))),
    Program('qt5', ('qmlscene', 'qml-module-qtquick2',
                    'qml-module-qtquick-window2'), 'x11',
            ('qmlscene', '{in}/scene.qml')),
    Program('qt6', ('qml-qt6', 'qml6-module-qtquick',
                    'qml6-module-qtquick-window',
                    'qml6-module-qtqml-workerscript'), 'x11',
            ('/usr/lib/qt6/bin/qml', '{in}/scene.qml'),
            env=(('QSG_RHI_BACKEND', 'opengl'),)),
    Program('qt6-vulkan', ('qml-qt6', 'qml6-module-qtquick',
                           'qml6-module-qtquick-window',
                           'qml6-module-qtqml-workerscript'), 'x11',
            ('/usr/lib/qt6/bin/qml', '{in}/scene.qml'),
            env=(('QSG_RHI_BACKEND', 'vulkan'),)),
    # Tools for things in three dimensions.
    Program('blender', ('blender',), 'x11',
            ('blender', '-b', '--factory-startup', '--python-exit-code', '1',
             '--python', '{in}/scene.py', '--', '{out}')),
    Program('openscad', ('openscad',), 'x11',
            ('openscad', '-o', '{out}', '--imgsize=320,240',
             '{in}/part.scad')),
    Program('vtk', ('python3-vtk9',), 'x11',
            ('/usr/bin/python3', '{in}/volume.py', '{out}')),
    # Moving pictures.
    Program('gstreamer', ('gstreamer1.0-gl', 'gstreamer1.0-tools',
                          'gstreamer1.0-plugins-base',
                          'gstreamer1.0-plugins-good'), 'x11',
            tuple('gst-launch-1.0 -q videotestsrc num-buffers=1 ! '
                  'video/x-raw,width=320,height=240 ! glupload ! '
                  'glcolorconvert ! gleffects effect=twirl ! gldownload ! '
                  'videoconvert ! pngenc ! filesink location={out}'.split())),
    Program('ffmpeg-vulkan', ('ffmpeg',), 'x11',
            ('ffmpeg', '-v', 'error', '-y', '-init_hw_device', 'vulkan=v',
             '-filter_hw_device', 'v', '-f', 'lavfi', '-i',
             'testsrc=size=320x240:rate=1', '-frames:v', '1', '-vf',
             'format=rgba,hwupload,hflip_vulkan,gblur_vulkan,hwdownload,'
             'format=rgba', '{out}')),
    Program('mpv', ('mpv',), 'x11',
            ('mpv', '--vo=gpu', '--gpu-api=opengl', *QUIET,
             'av://lavfi:testsrc2=size=320x240:rate=1')),
    Program('mpv-next', ('mpv',), 'x11',
            ('mpv', '--vo=gpu-next', '--gpu-api=vulkan', *QUIET,
             'av://lavfi:testsrc2=size=320x240:rate=1')),
    Program('ffmpeg-libplacebo', ('ffmpeg',), 'x11',
            ('ffmpeg', '-v', 'error', '-y', '-init_hw_device', 'vulkan=v',
             '-filter_hw_device', 'v', '-f', 'lavfi', '-i',
             'smptehdbars=size=160x120', '-frames:v', '1', '-vf',
             'format=yuv444p,hwupload,libplacebo=w=320:h=240:upscaler=lanczos:'
             'format=rgba,hwdownload,format=rgba', '{out}')),
    Program('gstreamer-vulkan', ('gstreamer1.0-plugins-bad',
                                 'gstreamer1.0-tools',
                                 'gstreamer1.0-plugins-base',
                                 'gstreamer1.0-plugins-good'), 'x11',
            tuple('gst-launch-1.0 -q videotestsrc num-buffers=1 ! '
                  'video/x-raw,format=BGRA,width=320,height=240 ! '
                  'vulkanupload ! vulkancolorconvert ! '
                  'video/x-raw(memory:VulkanImage),format=RGBA ! '
                  'vulkandownload ! pngenc ! filesink location={out}'
                  .split())),
    # Direct3D 12, by vkd3d.
    Program('vkd3d-triangle', ('vkd3d-demos',), 'x11', ('vkd3d-triangle',),
            size=(640, 480)),
    Program('vkd3d-gears', ('vkd3d-demos', 'faketime'), 'x11',
            (*STILL, 'vkd3d-gears'), size=(640, 480)),
    Program('gtk4-vulkan', ('gtk-4-examples',), 'x11',
            ('gtk4-demo', '--run=css'),
            env=(('GDK_BACKEND', 'x11'), ('GSK_RENDERER', 'vulkan'))),
    Program('vkmark', ('vkmark', 'faketime'), 'x11',
            (*STILL, 'vkmark', '--size', '320x240', '--winsys', 'xcb',
             '--run-forever', '-b', 'effect2d:kernel=0,1,0;1,-4,1;0,1,0')),
    Program('mangohud', ('mangohud', 'vulkan-tools'), 'x11',
            ('vkcube', '--width', '320', '--height', '240'), cycles=True,
            env=(('MANGOHUD', '1'), ('MANGOHUD_CONFIG', 'no_display'))),
    Program('vkbasalt', ('vkbasalt', 'vulkan-tools'), 'x11',
            ('vkcube', '--width', '320', '--height', '240'), cycles=True,
            env=(('ENABLE_VKBASALT', '1'),)),
    Program('retroarch', ('retroarch',), 'x11',
            ('retroarch', '--menu', '--config', '{in}/retroarch.cfg'), colours=3,
            env=(('HOME', '{dir}'),)),
    # A terminal, and a game: its menu, without clouds that move.
    Program('alacritty', ('alacritty',), 'x11',
            ('alacritty', '-e', 'sh', '-c', 'seq 1 200; sleep 1000')),
    Program('minetest', ('minetest',), 'x11',
            ('/usr/games/minetest', '--config', '{in}/minetest.conf'),
            size=(640, 480), env=(('HOME', '{dir}'),)),
)


def missing(program):
    """Packages of a program that are not installed."""
    wanted = set(program.packages)
    wanted |= set(weston.missing() if program.where == 'wayland' else
                  (package for tool, package in xvfb.PROGRAMS.items()
                   if not shutil.which(tool)))
    done = subprocess.run(['dpkg-query', '-W', '-f', '${Package} ${Status}\n',
                           *sorted(wanted)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    have = {line.split()[0] for line in done.stdout.splitlines()
            if line.endswith(' installed')}
    return sorted(wanted - have)


def our_environment(gen, stats):
    """That of `bin/saffron run`, which leaves counters in a file."""
    out = subprocess.run([pictures.SAFFRON, 'run', f'--gen={gen}',
                          f'--stats={stats}', '--', 'env', '-0'],
                         stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split('=', 1) for line in out.stdout.split('\0') if line)


def cpu_environment():
    """One in which programs draw on the CPU, whatever they draw with."""
    # Mesa 25's manifests have no architecture in their names.
    lavapipe = ':'.join(sorted(glob.glob(ICDS + '/lvp_icd*.json')))
    return dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1',
                GALLIUM_DRIVER='llvmpipe', VK_ICD_FILENAMES=lavapipe,
                VK_DRIVER_FILES=lavapipe)


def shows(program, picture):
    return picture and len(set(picture)) >= program.colours


def written(screen, command, program):
    """The picture that a program writes; it has to end well."""
    path = os.path.join(screen.directory, 'out.png')
    if os.path.exists(path):
        os.remove(path)
    process = screen.start([c.replace('{out}', path) for c in command])
    try:
        code = process.wait(program.seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None, f'takes longer than {program.seconds} s'
    if code or not os.path.exists(path):
        return None, f'exits with {code}' + (
            '' if os.path.exists(path) else ' and without a picture')
    return pictures.pixels_of(pictures.read_png(path)), None


def shown(screen, command, program, enough):
    """Pictures of the screen until enough(picture) is true, and why the
    program is not there any more, if it is not."""
    process = screen.start(command)
    path = os.path.join(screen.directory, 'shot.png')
    start = time.monotonic()
    picture = None
    while (time.monotonic() < start + program.seconds and
           process.poll() is None):
        time.sleep(0.25)
        if screen.screenshot(path):
            picture = pictures.pixels_of(pictures.read_png(path))
            if enough(picture):
                break
    time.sleep(max(0, start + LEAST_S - time.monotonic()))
    # The simulated GPU leaves its counters behind each second, and later on
    # a busy machine.
    end = time.monotonic() + COUNTERS_S
    stats = screen.env.get('SAFFRON_SIM_STATS')
    while (stats and process.poll() is None and not has_drawn(stats) and
           time.monotonic() < end):
        time.sleep(0.25)
    code = process.poll()
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return picture, None if code is None else f'ended with {code}'


def expected(screen, command, program):
    """The pictures that are right: one of a program that stands still, which
    is like the one before; of one that moves as many as there are, or
    CYCLE."""
    seen = []

    def enough(picture):
        if not shows(program, picture):
            return False
        if program.cycles and picture not in seen:
            seen.append(picture)
            return len(seen) == CYCLE
        if not program.cycles:
            seen.append(picture)
            return seen[-2:-1] == [picture]
        return False

    if '{out}' in ' '.join(command):
        picture, why = written(screen, command, program)
        if why or not shows(program, picture):
            return [], why or 'draws nothing'
        return [picture], None
    _, why = shown(screen, command, program, enough)
    return seen if program.cycles else seen[-1:], why


def compare(screen, command, program, right):
    """(share of differing pixels, why not) on our driver."""
    best = [1.0]

    def enough(picture):
        share = min(pictures.differing(picture, r) for r in right)
        best[0] = min(best[0], share)
        return share <= program.share

    if '{out}' in ' '.join(command):
        picture, why = written(screen, command, program)
        if why:
            return 1.0, why
        if len(picture) != len(right[0]):
            return 1.0, 'a picture of another size'
        enough(picture)
    else:
        _, why = shown(screen, command, program, enough)
    if not why and best[0] > program.share:
        why = f'{100 * best[0]:.2f} % of the pixels differ'
    return best[0], why


def has_drawn(stats):
    """Whether the simulated GPU had to do something."""
    if not os.path.exists(stats):
        return False
    with open(stats, encoding='utf-8') as f:
        counters = json.load(f)
    return counters['draws'] + counters['dispatches'] > 0


def check(program, args):
    """(share, why not) of a program by the options of the command."""
    command = [c.replace('{in}', INPUTS) for c in program.command]
    screens = {'x11': xvfb.Xvfb, 'wayland': weston.Weston}
    with screens[program.where](cpu_environment(), *program.size) as screen:
        window = {k: screen.env[k] for k in WINDOW if k in screen.env}
        own = {k: v.replace('{dir}', screen.directory)
               for k, v in program.env}
        screen.env.update(own)
        right, why = expected(screen, command, program)
        save(screen, args.keep, f'{program.name}-cpu.png')
        if why or not right:
            return 1.0, 'on the CPU: ' + (why or 'nothing to compare with')
        stats = os.path.join(screen.directory, 'stats')
        screen.env = dict(our_environment(args.gen, stats), **window, **own)
        if args.layers:
            screen.env.update(layers.environment(screen.directory))
        share, why = compare(screen, command, program, right)
        save(screen, args.keep, f'{program.name}-{args.gen}.png')
        if not why and not has_drawn(stats):
            why = 'the simulated GPU has drawn nothing'
        if not why and args.layers:
            why = ', '.join(layers.said(
                screen.directory,
                layers.known_of(os.path.join(INPUTS, 'layers.txt'))))
    return share, why


def save(screen, keep, name):
    for made in ('out.png', 'shot.png'):
        path = os.path.join(screen.directory, made)
        if keep and os.path.exists(path):
            shutil.copy(path, os.path.join(keep, name))


def choose(parser, args):
    """Programs by their names, or all, less what options leave out."""
    known = {p.name: p for p in PROGRAMS}
    for name in args.names:
        if name not in known:
            parser.error(f"no program '{name}'; --list names them")
    chosen = [known[n] for n in args.names] or list(PROGRAMS)
    return [p for p in chosen if (p.ci or not args.ci) and
            not (args.installed and missing(p))]


def install(programs):
    """By apt, as root or with sudo."""
    packages = sorted({m for p in programs for m in missing(p)})
    if packages:
        sudo = [] if os.geteuid() == 0 else ['sudo']
        subprocess.run([*sudo, 'apt-get', 'install', '-y',
                        '--no-install-recommends', *packages], check=True)


def run(programs, args):
    """Prints a line for each; the exit code."""
    result = {'passed': 0, 'failed': [], 'skipped': []}
    for number, program in enumerate(programs, 1):
        head = f'[{number}/{len(programs)}] {program.name}: '
        packages = missing(program)
        if packages:
            result['skipped'].append(program.name)
            print(head + 'skip: install ' + ' '.join(packages), flush=True)
            continue
        start = time.monotonic()
        share, why = check(program, args)
        if why:
            result['failed'].append(program.name)
        else:
            result['passed'] += 1
        said = f' ({100 * share:.3f} % of the pixels differ)'
        print(head + (f'FAIL: {why}' if why else
                      'pass' + (said if args.verbose else '')) +
              f' [{time.monotonic() - start:.0f} s]', flush=True)
    print(f"{result['passed']} passed, {len(result['failed'])} failed, "
          f"{len(result['skipped'])} skipped")
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as f:
            json.dump(result, f)
    return 1 if result['failed'] else 0


def main():
    parser = argparse.ArgumentParser(
        prog='bin/saffron programs', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME',
                        help='these programs (default: all)')
    parser.add_argument('--gen', default='skl', choices=GENS)
    parser.add_argument('--list', action='store_true',
                        help='print names, window systems and packages')
    parser.add_argument('--install', action='store_true',
                        help='install what is missing first')
    parser.add_argument('--installed', action='store_true',
                        help='leave out what is not installed')
    parser.add_argument('--ci', action='store_true',
                        help="only those of 'bin/saffron test'")
    parser.add_argument('--layers', action='store_true',
                        help='run under the validation layers: what they say '
                        'fails a program unless tests/programs/layers.txt '
                        'has whose fault it is')
    parser.add_argument('--keep', metavar='DIRECTORY',
                        help='keep the last pictures there')
    parser.add_argument('--json', metavar='FILE',
                        help='write how many passed, and who did not')
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='say how many pixels differ')
    args = parser.parse_args()
    programs = choose(parser, args)
    check_writable(parser, [args.json])
    if args.layers and not layers.installed():
        parser.error('--layers: install vulkan-validationlayers')
    if args.list:
        for p in programs:
            print(f'{p.name:24}{p.where:9}{" ".join(p.packages)}')
        return 0
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    if args.install:
        install(programs)
    return run(programs, args)


if __name__ == '__main__':
    sys.exit(main())
