# SPDX-License-Identifier: MIT
"""Each prepared mistake is found on the page of 'saffron view', by the actions
that docs/view.rst lists.

   test_mistakes.py SAFFRON BUILD SHADER_RUNNER [--sources | NAME...]

A mistake is a patch in tests/mistakes: to a scene beside it or, with
--sources, to one of the compiler's or the driver's. Of that, a copy is
compiled as the build does, and linked to a driver of its own; the build is
left as it is. Without names: those in scenes.

The same actions where nothing is wrong must not lead to the same end.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import (By, Page, SECONDS, View, WebDriverException, check_console,
                     open_browser)

TOP = Path(__file__).resolve().parent.parent
MISTAKES = TOP / 'tests/mistakes'
MOST_ACTIONS = 10


class Finder:
    """Does what a document says on the page."""

    def __init__(self, browser):
        self.browser, self.page = browser, Page(browser)

    def draw(self, number):
        self.page.idle(lambda: self.page.find(
            f'#draws [data-draw="{number}"]').click())

    def pixel(self, x, y):
        self.page.click_pixel(int(x), int(y))

    def event(self, kind):
        """The last one of the history."""
        self.page.idle(self.page.all(
            f'#history button.event[data-kind="{kind}"]')[-1].click)

    def writer(self):
        self.page.idle(self.page.find('#writer').click)

    def readers(self):
        self.page.find('#readers').click()
        self.page.wait(lambda: self.page.all('#found button'))

    def source(self, number):
        """Register number N of the chosen instruction; 0 is written."""
        self.page.idle(lambda: self.page.find(
            '#steps [aria-selected="true"]').find_elements(
                By.CSS_SELECTOR, '.reg')[int(number)].click())

    def threads(self):
        self.page.find('#threads-button').click()
        self.page.wait(lambda: self.page.all('#history button.event'))

    def thread(self, stage, number):
        button, = [b for b in self.page.all('#history button.event')
                   if b.text.startswith(f'{stage} thread {number}:')]
        self.page.idle(button.click)

    def state(self):
        self.page.find('#state-button').click()
        self.page.wait(lambda: self.page.all('#history summary'))

    def packet(self, name):
        summary, = [s for s in self.page.all('#history summary')
                    if s.text.startswith(name + ' at')]
        summary.click()

    def beside(self, number):
        self.page.idle(self.page.find(
            f'#other option[value="{number}"]').click)

    def difference(self):
        self.page.idle(self.page.find('#difference-button').click)


def documented():
    """Name: (actions, what is seen), as the document has them."""
    text = (TOP / 'docs/view.rst').read_text(encoding='utf-8')
    found = {}
    for name, body in re.findall(
            r'^``(\w+)``: .*\n((?:   .*\n|\n)+)', text, re.M):
        words = re.findall(r'^ +#\. ``([^`]+)``', body, re.M)
        sees = re.findall(r'``([^`]+)`` has\s+``([^`]+)``', body)
        found[name] = words, sees
    return found


class Driver:
    """A build whose driver has one source replaced."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.commands = json.loads(
            (build / 'compile_commands.json').read_text(encoding='utf-8'))

    def run(self, words):
        subprocess.run(words, cwd=self.build, check=True)

    def patched(self, patch):
        """(its path in the checkout, the copy)."""
        name = re.search(r'^--- a/(\S+)', patch.read_text(encoding='utf-8'),
                         re.M)[1]
        copy = self.folder / 'sources' / name
        copy.parent.mkdir(parents=True)
        shutil.copy(TOP / name, copy)
        subprocess.run(['patch', '-s', '-p1', '-i', patch],
                       cwd=self.folder / 'sources', check=True)
        return TOP / name, copy

    def objects(self, source, copy):
        """{the build's object: ours}."""
        made = {}
        for command in self.commands:
            words = shlex.split(command['command'])
            if (self.build / command['file']).resolve() != source or \
                    '-o' not in words:
                continue
            out = self.folder / f'{len(made)}.o'
            made[command['output']] = str(out)
            words[words.index('-o') + 1] = str(out)
            words[words.index('-c') + 1] = str(copy)
            # Headers beside the source.
            self.run([*words, f'-I{source.parent}'])
        assert made, source
        return made

    def archive(self, name, objects):
        """One of the build's, with our objects in place of its own."""
        members = subprocess.run(['ar', 't', name], cwd=self.build, text=True,
                                 stdout=subprocess.PIPE,
                                 check=True).stdout.split()
        if not set(members) & set(objects):
            return name
        out = self.folder / Path(name).name
        self.run(['ar', 'crs', str(out), *(objects.get(m, m)
                                           for m in members)])
        return str(out)

    def link(self, library, objects):
        steps = subprocess.run(
            ['ninja', '-t', 'commands', library], cwd=self.build, text=True,
            stdout=subprocess.PIPE, check=True).stdout.splitlines()
        words = [self.archive(w, objects) if w.endswith('.a')
                 else objects.get(w, w) for w in shlex.split(steps[-1])]
        out = self.folder / 'build' / library
        words[words.index('-o') + 1] = str(out)
        self.run(words)

    def make(self, patch):
        """The folder of the build that has it."""
        library = 'src/intel/vulkan/libvulkan_saffron.so'
        there = self.build
        here = self.folder / 'build'
        here.mkdir()
        for part in [*Path(library).parts, None]:
            for entry in there.iterdir():
                if entry.name != part:
                    (here / entry.name).symlink_to(entry)
            if part is None or (there / part).is_file():
                break
            there, here = there / part, here / part
            here.mkdir()
        self.link(library, self.objects(*self.patched(patch)))
        return self.folder / 'build'


def record(saffron, build, runner, scene, path):
    done = subprocess.run(
        [saffron, 'run', '--strict', f'--record={path}', '--', runner, scene,
         '-auto', '-fbo'], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False, env={
            **os.environ, 'SAFFRON_BUILD_DIR': str(build), 'PIGLIT_PLATFORM': 'surfaceless_egl',
            'MESA_SHADER_CACHE_DISABLE': 'true'})
    assert path.exists(), done.stdout


def is_of_scene(patch):
    return f'a/{patch.stem}.shader_test' in patch.read_text(encoding='utf-8')


def check_applies(patch):
    folder = MISTAKES if is_of_scene(patch) else TOP
    subprocess.run(['patch', '-s', '-p1', '--dry-run', '-F0', '-i', patch],
                   cwd=folder, check=True)


def copy_scene(name, folder, wrong):
    scene = folder / f'{name}.shader_test'
    shutil.copy(MISTAKES / scene.name, scene)
    if wrong:
        subprocess.run(['patch', '-s', '-p1', '-i',
                        MISTAKES / f'{name}.patch'],
                       cwd=folder, check=True)
    return scene


def recordings(saffron, build, runner, name, folder):
    """Of the scene with the mistake, and without."""
    patch, paths = MISTAKES / f'{name}.patch', []
    in_scene = is_of_scene(patch)
    for wrong in True, False:
        made = folder / str(wrong)
        made.mkdir()
        used = Driver(build, made).make(patch) if wrong and not in_scene \
            else build
        paths.append(made / 'recording')
        record(saffron, used, runner,
               copy_scene(name, made, wrong and in_scene), paths[-1])
    return paths


def carry_out(browser, view, what, seconds):
    """From the first page on; whether all is seen that the document says."""
    actions, sees = what
    finder = Finder(browser)
    browser.get('about:blank')
    browser.get(view.address)
    finder.page.wait(
        lambda: finder.page.find('body').get_attribute('data-idle'))
    for action in actions:
        word, *rest = action.split()
        getattr(finder, word)(*rest)
    check_console(browser)

    def seen():
        return all(re.search(pattern, '\n'.join(
            e.text for e in finder.page.all(pane))) for pane, pattern in sees)
    try:
        return finder.page.wait(seen, seconds)
    except AssertionError:
        return False


def find(browser, saffron, files, name, what):
    actions, sees = what
    assert 0 < len(actions) <= MOST_ACTIONS and sees, (name, what)
    view = View(saffron, *files)
    try:
        found = carry_out(browser, view, what, SECONDS)
        if not found:
            page = Page(browser)
            print(f'{name}: not seen at {page.place()}:')
            for pane in '#history', '#steps', '#registers .chosen':
                print([e.text for e in page.all(pane)])
        return found
    finally:
        view.end()


def first_difference(saffron, a, b):
    """As 'saffron trace' has it; None: there is none."""
    done = subprocess.run([saffron, 'trace', '--json', f'--compare={b}', a],
                          stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    found = answer.get('difference')
    return found and {**found, 'draw': answer['groups'][found['group']][
        'draws']['last']}


def check_compare(browser, saffron, wrong, right):
    """The page leads to what 'saffron trace' says is the first difference."""
    assert first_difference(saffron, right, right) is None
    want = first_difference(saffron, wrong, right)
    view = View(saffron, wrong, right)
    try:
        finder = Finder(browser)
        page = finder.page
        browser.get('about:blank')
        browser.get(view.address)
        page.wait(lambda: page.find('body').get_attribute('data-idle'))
        finder.beside(1)
        if not want:
            page.find('#difference-button').click()
            page.wait(lambda: page.find('#message').text ==
                      'no target differs')
            return
        finder.difference()
        at = page.place()
        assert [int(at[k]) for k in ('draw', 'x', 'y')] == \
            [want[k] for k in ('draw', 'x', 'y')], (at, want)
        assert f'{want["pixels"]:,} of {want["of"]:,} pixels differ' in \
            page.find('#target-title').text, want
        assert page.all('#other-history .event')
        check_console(browser)
    finally:
        view.end()


def does_not_find(browser, saffron, files, what):
    """Where nothing is wrong, something of it is not there."""
    view = View(saffron, *files)
    try:
        return not carry_out(browser, view, what, 1)
    except (AssertionError, IndexError, ValueError, WebDriverException):
        return True
    finally:
        # What it still asked for is no error of the next page.
        browser.get('about:blank')
        browser.get_log('browser')
        view.end()


def main():
    saffron, build, runner, *names = sys.argv[1:]
    known = documented()
    patches = {p.stem for p in MISTAKES.glob('*.patch')}
    assert set(known) == patches, (sorted(known), sorted(patches))
    if not names or names == ['--sources']:
        names = sorted(name for name in patches
                       if is_of_scene(MISTAKES / f'{name}.patch') != bool(names))
    for name in patches:
        check_applies(MISTAKES / f'{name}.patch')
    bad = []
    browser = open_browser()
    try:
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                wrong, right = recordings(saffron, Path(build), runner, name,
                                          Path(folder))
                what = known[name]
                good = find(browser, saffron, [wrong, right], name, what) and \
                    does_not_find(browser, saffron, [right, right], what)
                check_compare(browser, saffron, wrong, right)
            print(f'{name}: {len(what[0])} actions,',
                  'found' if good else 'not found, or without a mistake')
            if not good:
                bad.append(name)
    finally:
        browser.quit()
    return int(bool(bad))


if __name__ == '__main__':
    sys.exit(main())
