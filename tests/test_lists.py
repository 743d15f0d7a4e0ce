# SPDX-License-Identifier: MIT
"""Long lists on the page of 'saffron view': a thread of 10^6 steps and a frame
of 10^4 draws, which a trace made up here has.

   test_lists.py SAFFRON

While they are scrolled from end to end the page has few elements, and its
thread computes no longer for a frame than 60 of them a second allow. That is
its time on a processor: it does not depend on what else the machine does.
"""

import struct
import sys
import tempfile
import time
from pathlib import Path

from browser import Page, View, check_console, open_browser

SAFFRON = sys.argv[1]
STEPS, DRAWS = 10**6, 10**4
FRAMES = 120
FRAME_MS = 1000 / 60
MOST_ELEMENTS = 3000

# enum trace_type.
BATCH, DRAW, PROGRAM, THREAD = 1, 3, 4, 5
PROGRAM_HASH = 0x1234
# mov (8) r2<1>:f r3<8,8,1>:f of Skylake; which instruction does not matter.
MOV = bytes.fromhex('01 00 60 00 e8 3a 40 20 60 00 8d 00 00 00 00 00')


def record(type_, payload):
    return struct.pack('<II', type_, len(payload)) + payload


def draw(i):
    return record(DRAW, struct.pack(
        '<Q8Ii', 0x1000 + 64 * i, 0, 4, 0, 3 * (i % 100 + 1), 0, 1, 0, 0, 0)[
            :40].ljust(40, b'\0'))


def thread():
    """Each step writes a dword of r2."""
    steps = b''.join(
        struct.pack('<IIIIIBBI', 0, 255, 4 * i, 4, 1, 2, 1, i)
        for i in range(STEPS))
    head = struct.pack('<IIQQIBBBBQII', DRAWS - 1, 0, PROGRAM_HASH, 0, 255, 5,
                       8, 0, 0, 4 * STEPS, STEPS, 0)
    return record(THREAD, head + steps)


def write_trace(path):
    with open(path, 'wb') as f:
        f.write(b'SAFTRACE' + struct.pack('<IIII', 3, 90, 0, 0))
        f.write(record(BATCH, struct.pack('<QII', 0x1000, 0, 0)))
        f.write(b''.join(map(draw, range(DRAWS))))
        f.write(record(PROGRAM, struct.pack('<Q', PROGRAM_HASH) + MOV))
        f.write(thread())


# Scrolls from end to end, a step a frame; of each: elements in the list.
SCROLL = '''
const [selector, frames, done] = arguments;
const box = document.querySelector(selector);
const found = [];
let i = 0;
function step() {
  found.push(box.querySelectorAll('*').length);
  if (i > frames)
    return done(found);
  box.scrollTop = box.scrollHeight * i++ / frames;
  requestAnimationFrame(step);
}
step();
'''


def busy_s(browser):
    metrics = browser.execute_cdp_cmd('Performance.getMetrics', {})['metrics']
    return next(m['value'] for m in metrics if m['name'] == 'TaskDuration')


def scroll(browser, selector):
    before = busy_s(browser)
    elements = browser.execute_async_script(SCROLL, selector, FRAMES)
    frame_ms = 1000 * (busy_s(browser) - before) / FRAMES
    print(f'{selector}: {max(elements)} elements, {frame_ms:.1f} ms a frame')
    assert max(elements) < MOST_ELEMENTS, max(elements)
    assert frame_ms < FRAME_MS, frame_ms


def main():
    browser = open_browser()
    browser.set_script_timeout(60)
    browser.execute_cdp_cmd('Performance.enable',
                            {'timeDomain': 'threadTicks'})
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / 'long.trace'
        write_trace(path)
        begin = time.monotonic()
        view = View(SAFFRON, path)
        try:
            page = Page(browser)
            browser.get(view.address)
            page.wait(lambda: page.all('#draws [data-draw]'))
            print(f'first page after {time.monotonic() - begin:.1f} s')
            scroll(browser, '#draws')
            page.wait(lambda: page.find(f'#draws [data-draw="{DRAWS - 1}"]'))
            browser.get(browser.current_url.partition('#')[0] +
                        f'#draw={DRAWS - 1}&from={DRAWS - 1}&thread=0')
            page.wait(lambda: page.all('#steps [data-step]'))
            scroll(browser, '#steps')
            row = page.wait(lambda: page.find(
                f'#steps [data-step="{STEPS - 1}"]'))
            assert 'mov' in row.text, row.text
            check_console(browser)
        finally:
            view.end()
            browser.quit()
    return 0


sys.exit(main())
