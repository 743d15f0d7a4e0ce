#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at what programs draw: the demo's two pictures, the gears in a
window, and windows of Mesa's own driver on the simulated GPU; and at the
display of `run --window`. A stage of `bin/saffron test`.

usage: pictures.py demo DIRECTORY | window PROGRAM[@GENERATION] |
       headless GENERATION | stock GENERATION
Exit code 0 when the picture is as it should be, else 1 and a sentence.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import weston
import xvfb
import zink

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAFFRON = os.path.join(ROOT, 'bin', 'saffron')
SIZE = 240, 180
OTHERS = ('bdw', 'hsw', 'ivb')
SCREEN = 340, 340
# How long a window may take to be as it should.
WINDOW_S = 90
# A program's wall clock stands still, and the one that measures time goes on.
STILL = ('faketime', '--exclude-monotonic', '-f', '2026-01-01 00:00:00')
# Two rasterisers differ in the rounding of a colour, and in what pixels an
# edge goes through.
ROUNDING = 3
EDGE_SHARE = 0.005


def fail(text):
    print(text)
    sys.exit(1)


def read_png(path):
    """(width, height, RGB bytes), by way of netpbm."""
    ppm = subprocess.run(['pngtopnm', path], stdout=subprocess.PIPE,
                         check=True).stdout
    magic, width, height, largest, data = re.match(
        rb'(P6)\s+(\d+)\s+(\d+)\s+(\d+)\s(.*)', ppm, re.DOTALL).groups()
    assert magic == b'P6'
    # Of 16 bits, which xwdtopnm makes, the upper ones.
    return int(width), int(height), data[::2] if int(largest) > 255 else data


def equal_neighbours(path):
    """The share of pixels, of those that are not black, that equal their
    right neighbour."""
    width, height, data = read_png(path)
    same = total = 0
    for y in range(height):
        row = [data[3 * (y * width + x):][:3] for x in range(width)]
        for a, b in zip(row, row[1:]):
            if any(a):
                total += 1
                same += a == b
    if total < width * height // 4:
        fail(f'{path}: mostly black')
    return same / total


def draw_demo(directory, gen):
    """What the demo says."""
    out = subprocess.run([SAFFRON, 'demo', f'--gen={gen}',
                          f'--out={directory}', '--size=%dx%d' % SIZE],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    print(out)
    return out


def check_same(directory, gen):
    """A generation draws what Skylake has drawn."""
    with tempfile.TemporaryDirectory() as other:
        draw_demo(other, gen)
        for name in ('mandelbrot-float.png', 'mandelbrot-double.png'):
            if (read_png(os.path.join(other, name)) !=
                    read_png(os.path.join(directory, name))):
                fail(f'{name}: on {gen} another one than on skl')


def check_demo(directory):
    """The float picture has blocks of many pixels, the double picture has
    detail everywhere; and the context is OpenGL 3.3 by right. The same on
    each generation."""
    out = draw_demo(directory, 'skl')
    version = re.search(r'GL_VERSION\s+(\d+)\.(\d+)', out)
    if not version or (int(version[1]), int(version[2])) < (3, 3):
        fail('GL_VERSION is below 3.3')
    if 'Saffron' not in out:
        fail('the demo ran on another driver')
    blocks = equal_neighbours(os.path.join(directory, 'mandelbrot-float.png'))
    detail = equal_neighbours(os.path.join(directory,
                                           'mandelbrot-double.png'))
    print(f'pixels like their neighbour: float {blocks:.3f}, '
          f'double {detail:.3f}')
    if blocks < 0.7:
        fail('the float picture shows no blocks')
    if detail > 0.3:
        fail('the double picture shows blocks')
    for gen in OTHERS:
        check_same(directory, gen)


def count_gears(pixels):
    """Pixels that are red, green and blue."""
    count = [0, 0, 0]
    for pixel in pixels:
        top = max(range(3), key=lambda i: pixel[i])
        others = [pixel[i] for i in range(3) if i != top]
        if pixel[top] > 90 and max(others) < pixel[top] // 2:
            count[top] += 1
    return count


def shows_gears(pixels):
    """Three of them, each of some size."""
    return min(count_gears(pixels)) >= 1000


def pixels_of(picture):
    """The pixels of what read_png() gives."""
    data = picture[2]
    return [tuple(data[i:i + 3]) for i in range(0, len(data), 3)]


def look(screen, command, is_right):
    """Starts a program and takes pictures of the screen until one is right;
    the last one, and whether it was."""
    program = screen.start(command)
    path = os.path.join(screen.directory, 'shot.png')
    end = time.monotonic() + WINDOW_S
    picture, right = None, False
    while not right and time.monotonic() < end and program.poll() is None:
        time.sleep(0.5)
        if screen.screenshot(path):
            picture = pixels_of(read_png(path))
            right = is_right(picture)
    program.terminate()
    program.wait()
    return picture, right


def check_window(program):
    """Three gears, a red, a green and a blue one, each of some size."""
    program, _, gen = program.partition('@')
    count = []

    def is_right(picture):
        count[:] = count_gears(picture)
        return min(count) >= 1000

    with xvfb.Xvfb(dict(os.environ), 320, 320) as screen:
        _, right = look(screen, [SAFFRON, 'run', f'--gen={gen or "skl"}',
                                 '--', program], is_right)
    print('red, green, blue pixels:', *count)
    if not right:
        fail(f'{program}: a gear is missing')


def check_screenshot(gen):
    """Of a window that goes when the picture is there."""
    with tempfile.TemporaryDirectory() as out:
        path = os.path.join(out, 'shot.png')
        done = subprocess.run(
            [SAFFRON, 'run', f'--gen={gen}', '--window=320x320',
             f'--screenshot={path}', '--', 'sh', '-c',
             'glxgears & until [ -s "$0" ]; do sleep 0.2; done; '
             'kill $!; exit 3', path], timeout=WINDOW_S, check=False,
            stdout=subprocess.DEVNULL)
        width, height, data = read_png(path)
    count = count_gears(pixels_of((width, height, data)))
    print('red, green, blue pixels of --screenshot:', *count)
    if done.returncode != 3 or (width, height) != (320, 320) or \
            min(count) < 1000:
        fail(f'--screenshot: {done.returncode}, {width}x{height}')


def check_headless(gen):
    """A program without a display gets one, and its exit code is kept."""
    done = subprocess.run([SAFFRON, 'run', f'--gen={gen}', '--window=400x300',
                           '--', 'sh', '-c', 'glxinfo -B && es2_info && exit 3'],
                          stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    if done.returncode != 3 or \
            len(re.findall(zink.RENDERER, done.stdout)) < 2:
        fail('no windows of X11 and of EGL on the driver')
    check_screenshot(gen)
    done = subprocess.run([SAFFRON, 'run', '--window', '--', '/no/program'],
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 127 or '/no/program: No such file' not in done.stderr:
        fail(f'exit code {done.returncode} of no program: {done.stderr}')


def reference(command, is_drawn):
    """What llvmpipe shows of a program that stands still: the first picture
    with something on it that is like the one before."""
    env = dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1',
               GALLIUM_DRIVER='llvmpipe')
    last = []

    def is_right(picture):
        last.append(picture)
        return is_drawn(picture) and last[-2:-1] == [picture]

    with weston.Weston(env, *SCREEN) as screen:
        picture, right = look(screen, command, is_right)
    if not right:
        fail(f'{command[-1]}: nothing to compare with')
    return picture


def differing(a, b):
    """The share of pixels that are different beyond rounding."""
    return sum(max(abs(x - y) for x, y in zip(p, q)) > ROUNDING
               for p, q in zip(a, b)) / len(a)


def stock_environment(gen):
    out = subprocess.run([SAFFRON, 'shim', f'--gen={gen}', '--', 'env', '-0'],
                         stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split('=', 1) for line in out.stdout.split('\0') if line)


def icd():
    """Of our driver, as `run` sets it."""
    out = subprocess.run([SAFFRON, 'run', '--', 'printenv', 'VK_ICD_FILENAMES'],
                         stdout=subprocess.PIPE, text=True, check=True)
    return out.stdout.strip()


def check_shared(screen, expected):
    """A window of our driver, whose images a compositor on Mesa's own driver
    reads as dma-bufs, without a copy."""
    log = os.path.join(screen.directory, 'protocol')
    picture, right = look(
        screen, ['env', f'VK_ICD_FILENAMES={icd()}', 'WAYLAND_DEBUG=1',
                 *('='.join(v) for v in zink.variables().items()), 'sh', '-c',
                 'exec "$@" 2>"$0"', log, *STILL, 'es2gears_wayland'],
        lambda p: differing(p, expected) <= EDGE_SHARE)
    if picture:
        print('es2gears_wayland, ours: differs from llvmpipe in '
              f'{100 * differing(picture, expected):.3f} % of pixels')
    if not right:
        fail('es2gears_wayland, ours: not as llvmpipe draws it')
    with open(log, encoding='utf-8') as f:
        if not re.search(r'zwp_linux_buffer_params_v1@\d+\.created', f.read()):
            fail('es2gears_wayland, ours: its window is no dma-buf')


def check_stock(gen):
    """A triangle whose window is like llvmpipe's, with title and border; and
    gears. Programs, X server and compositor draw on the simulated GPU. And a
    window of our driver beside them."""
    expected = reference(['es2tri'], lambda p: len(set(p)) > 1000)
    gears = reference([*STILL, 'es2gears_wayland'], shows_gears)
    with weston.Weston(stock_environment(gen), *SCREEN) as screen:
        print('compositor:', screen.renderer())
        if 'Intel' not in screen.renderer():
            fail('the compositor does not draw on the simulated GPU')
        picture, right = look(screen, ['es2tri'], lambda p: differing(
            p, expected) <= EDGE_SHARE)
        if picture:
            print('es2tri: differs from llvmpipe in '
                  f'{100 * differing(picture, expected):.3f} % of pixels')
        if not right:
            fail('es2tri: not as llvmpipe draws it')
        picture, right = look(screen, ['glxgears'], shows_gears)
        if picture:
            print('glxgears: red, green, blue pixels:', *count_gears(picture))
        if not right:
            fail('glxgears: a gear is missing')
        check_shared(screen, gears)


CHECKS = {'demo': check_demo, 'window': check_window, 'headless': check_headless,
          'stock': check_stock}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    for tool in ('xvfb-run', 'xwd', 'pngtopnm'):
        if not shutil.which(tool):
            fail(f'{tool} is missing')
    if sys.argv[1] in ('headless', 'stock') and weston.missing():
        fail('install ' + ' '.join(weston.missing()))
    CHECKS[sys.argv[1]](sys.argv[2])


if __name__ == '__main__':
    main()
