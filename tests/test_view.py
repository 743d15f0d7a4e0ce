# SPDX-License-Identifier: MIT
"""The page of 'saffron view' in a browser, on recordings of the demo: by the
driver, and by stock iris.

A pixel is clicked, its thread opened, and the register that has its colour
followed to the instruction that wrote it; what the page shows is compared
with the demo's picture and with 'saffron trace'. The token, the host check
and the content policy are tested beside it.

   test_view.py SAFFRON DEMO [AXE]

AXE is axe.min.js of axe-core, which looks for what keeps people out.

Exits with 77 where there is no Chromium, no selenium or no stock driver.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from browser import By, Keys, Page, View, check_console, fetch, open_browser

SAFFRON, DEMO, *AXE = sys.argv[1:]
WIDTH, HEIGHT = 96, 64
# Far from each other, and in another third of the picture each.
PIXELS = [(40, 50), (7, 9), (90, 30)]


def trace(*args):
    done = subprocess.run([SAFFRON, 'trace', '--json', *map(str, args)],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def record(folder, command, name):
    path, picture = folder / f'{name}.rec', folder / f'{name}.ppm'
    done = subprocess.run(
        [SAFFRON, command, f'--record={path}', '--', DEMO, 'float',
         str(WIDTH), str(HEIGHT), picture], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    if not path.exists() or not picture.exists():
        print(f'skipped: no {command} here: {done.stdout}')
        sys.exit(77)
    return path, picture.read_bytes()


def pixel_of(ppm, x, y):
    """Of P6, which is stored from the top."""
    head = re.match(rb'P6\s+(\d+)\s+(\d+)\s+255\s', ppm)
    at = len(head[0]) + 3 * ((HEIGHT - 1 - y) * WIDTH + x)
    return tuple(ppm[at:at + 3])


def check_server(view):
    assert view.origin.startswith('http://127.0.0.1:')
    good = f'{view.origin}/api/list?token={view.token}'
    assert fetch(good)[0] == 200
    for url in (f'{view.origin}/', f'{view.origin}/api/list',
                f'{view.origin}/?token=x', f'{view.origin}/main.js'):
        assert fetch(url)[0] == 403, url
    # By a name that leads here: a page elsewhere may have it resolve so.
    assert fetch(good, Host='example.com')[0] == 421
    assert fetch(good, **{'Sec-Fetch-Site': 'cross-site'})[0] == 403
    code, headers, _ = fetch(view.address)
    assert code == 303 and 'HttpOnly' in headers['Set-Cookie']
    assert 'SameSite=Strict' in headers['Set-Cookie']
    policy = headers['Content-Security-Policy']
    assert "default-src 'none'" in policy and 'unsafe' not in policy
    cookie = headers['Set-Cookie'].split(';')[0]
    assert fetch(f'{view.origin}/', Cookie=cookie)[0] == 200
    assert fetch(f'{view.origin}/', Cookie=cookie + 'x')[0] == 403
    for path, code in (('/../VERSION', 404), ('/%2e%2e/VERSION', 404),
                       ('/api/nonsense', 404), ('/api/list?r=7', 404),
                       ('/api/list?r=x', 404), ('/api/align?other=7', 404),
                       ('/api/align?other=--save', 400), ('/api/list?more=1', 400),
                       ('/api/history?x=1&y=1&batches=--save=x', 400),
                       ('/api/writer?draw=0&thread=0&reg=--save&before=0',
                        400), ('/api/history?x=1', 400)):
        found = fetch(view.origin + path, Cookie=cookie)
        assert found[0] == code, (path, found)
        assert 'error' in json.loads(found[2])


SCHEMA = json.loads((Path(SAFFRON).resolve().parent / 'view/schema.json')
                    .read_text(encoding='utf-8'))
KINDS = {'integer': int, 'number': (int, float), 'string': str,
         'boolean': bool, 'null': type(None)}


def fits(value, shape, where):
    """Complains if a value is not as the schema has it."""
    if isinstance(shape, str) and shape in SCHEMA and shape not in KINDS:
        fits(value, SCHEMA[shape], where)
    elif isinstance(shape, str):
        kinds = shape.split('|')
        good = any(isinstance(value, KINDS[k]) and
                   (k == 'boolean' or not isinstance(value, bool))
                   for k in kinds)
        assert good, (where, shape, value)
    elif isinstance(shape, list):
        assert isinstance(value, list), (where, value)
        for v in value:
            fits(v, shape[0], where)
    elif '*' in shape:
        for v in value.values():
            fits(v, shape['*'], where)
    else:
        needed = {k for k in shape if not k.endswith('?')}
        known = {k.rstrip('?'): s for k, s in shape.items()}
        assert needed <= set(value) <= set(known), (where, set(value))
        for key, v in value.items():
            fits(v, known[key], f'{where}.{key}')


def check_responses(view):
    """Each question, in the form of the schema."""
    _, headers, _ = fetch(view.address)
    cookie = headers['Set-Cookie'].split(';')[0]

    def ask(name, shape=None, **parameters):
        query = urllib.parse.urlencode(parameters)
        code, _, body = fetch(f'{view.origin}/api/{name}?{query}',
                              Cookie=cookie)
        assert code == 200, (name, body)
        fits(json.loads(body), SCHEMA[shape or name], name)
        return json.loads(body)

    ask('recordings')
    for r in 0, 1:
        draws = [d for d in ask('list', r=r)['draws'] if d.get('threads')]
        d = draws[0]['draw']
        batch = draws[0]['batch']
        ask('pictures', r=r, batches=batch, px=8)
        ask('picture', 'pictures', r=r, draw=d, px=8)
        ask('state', r=r, batches=batch)
        ask('threads', r=r, draw=d, stage='vs')
        ask('profile', r=r, draw=d)
        ask('align', r=r, other=1 - r)
        x, y = PIXELS[0]
        found = ask('history', r=r, x=x, y=y,
                    batches=f'0-{draws[-1]["batch"]}')
        events = [(h['draw'], e) for h in found['draws'] for e in h['events']
                  if e['thread'] is not None]
        assert events
        which = {'r': r, 'draw': events[0][0],
                 'thread': events[0][1]['thread']}
        steps = ask('steps', **which, start=0, count=50)
        ask('pixel_threads', 'threads', r=r, draw=events[0][0], x=x, y=y)
        ask('registers', **which, after=7)
        ask('writer', 'steps', **which, reg='r2.1', before=30)
        ask('readers', 'steps', **which, reg='r2', start=0)
        ask('accesses', r=r, address=events[-1][1]['address'], bytes=4,
            batches=f'0-{draws[-1]["batch"]}')
        ask('listing', r=r, program=steps['thread']['program'])


def follow(page, path, ppm, x, y):
    """From a pixel to the instruction that wrote its red."""
    page.click_pixel(x, y)
    at = page.place()
    assert (int(at['x']), int(at['y'])) == (x, y), at
    # The last draw that wrote it before it was copied to bytes.
    shown = trace(f'--history={x},{y}', path)
    written = [(d, e) for d in shown['draws'] for e in d['events']
               if e['kind'] == 'written' and max(e['source']) <= 1]
    draw, event = written[-1]
    want = pixel_of(ppm, x, y)
    assert all(abs(round(255 * v) - c) <= 1
               for v, c in zip(event['source'], want)), (event, want)
    button = page.find(f'button.event[data-draw="{draw["draw"]}"]'
                       f'[data-thread="{event["thread"]}"]')
    page.idle(button.click)
    # It opens at the message that wrote the pixel, with the register that
    # has its red.
    last, place_of_red = int(page.place()['step']), page.place()['reg']
    assert last == event['step'] and place_of_red == event['registers'][0]
    row = page.wait(lambda: page.find(f'#steps [data-step="{last}"]'))
    assert 'send' in row.text, row.text
    name, dword = place_of_red.split('.')
    dword = int(dword)
    # Walk back: its last writer is asked for.
    page.idle(page.find('#writer').click)
    step = int(page.place()['step'])
    wanted = trace(f'--draw={draw["draw"]}', f'--thread={event["thread"]}',
                   f'--writer={name}.{dword}@{last}', path)
    assert [s['n'] for s in wanted['steps']] == [step], (wanted, step)
    row = page.wait(lambda: page.find(
        f'#registers .changed[data-reg="{name}"]'))
    value = float(row.find_elements(By.CSS_SELECTOR, '.lane')[dword].text)
    assert abs(value - event['source'][0]) < 1e-6, (value, event)
    # By keys: back and forth again.
    page.key('<')
    assert int(page.place()['step']) == step - 1
    page.key('>')
    assert int(page.place()['step']) == step
    return value


def check_beside(page, ours, stock):
    """The stock driver's recording, and ours beside it."""
    answer = trace(f'--compare={ours}', stock)
    fits(answer, SCHEMA['compare'], 'compare')
    assert 'difference' not in answer, answer
    page.find('#difference-button').click()
    page.wait(lambda: page.find('#message').text == 'no target differs')
    pairs = [g for g in answer['groups'] if 'draws' in g and 'others' in g]
    assert pairs
    for g in pairs:
        row = page.find(f'#draws [data-draw="{g["draws"]["last"]}"]')
        counts = [f'{g[side]["instructions"]:,}'
                  for side in ('draws', 'others')]
        assert ' | '.join(counts) + ' instructions' in row.text, row.text


def check_keys(page, view):
    """From the first page to an instruction without a mouse."""
    page.browser.get('about:blank')
    page.browser.get(view.address)
    page.wait(lambda: page.find('body').get_attribute('data-idle'))
    last = int(page.place()['draw'])
    page.tab_to('#draws')
    page.press(Keys.ARROW_UP)
    assert int(page.place()['draw']) == last - 1, page.place()
    page.tab_to('#picture')
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_DOWN)
    at = page.place()
    assert (at['x'], at['y']) == ('0', '1'), at
    page.wait(lambda: page.all('#history button.event'))
    page.tab_to('#history button.event')
    page.press(Keys.ENTER)
    step = int(page.place()['step'])
    page.press('w')
    assert int(page.place()['step']) < step, page.place()
    reg = page.place()['reg']
    page.press('r')
    assert page.place()['reg'] != reg, page.place()


def check_schemes(page):
    """Dark and light, and whether all can be read in both."""
    backs = []
    for scheme in 'light', 'dark':
        page.browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
        backs.append(page.find('body').value_of_css_property(
            'background-color'))
        if AXE:
            page.browser.execute_script(
                Path(AXE[0]).read_text(encoding='utf-8'))
            found = page.browser.execute_async_script(
                'const done = arguments[0];'
                'axe.run().then((r) => done(r.violations.map((v) => '
                '[v.id, v.nodes.map((n) => n.html.slice(0, 120))])));')
            assert not found, (scheme, found)
    assert backs[0] != backs[1], backs


def check_page(view, recordings):
    started = time.monotonic()
    browser = open_browser()
    try:
        page = Page(browser)
        browser.get(view.address)
        page.wait(lambda: page.all('#draws [data-draw]'))
        assert 'token' not in browser.current_url
        print(f'first page after {time.monotonic() - started:.1f} s')
        for number, (path, ppm) in enumerate(recordings):
            page.wait(lambda: page.find('body').get_attribute('data-idle'))
            if number:
                page.idle(lambda: page.find(
                    f'#recording option[value="{number}"]').click())
            values = [follow(page, path, ppm, x, y) for x, y in PIXELS]
            print(f'{path.name}: {values}')
        # The address leads to the same place in another window.
        there, place = browser.current_url, page.place()
        browser.get('about:blank')
        browser.get(there)
        page.wait(lambda: page.find('body').get_attribute('data-idle'))
        assert page.place() == place, (page.place(), place)
        page.idle(lambda: page.find('#other option[value="0"]').click())
        assert page.find('#other-picture').is_displayed()
        check_beside(page, *(path for path, _ in recordings))
        page.find('#state-button').click()
        page.wait(lambda: [s for s in page.all('#history summary')
                           if s.text.startswith('3DSTATE_PS at')])
        check_keys(page, view)
        check_schemes(page)
        check_console(browser)
    finally:
        browser.quit()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recordings = [record(folder, 'run', 'driver'),
                      record(folder, 'shim', 'iris')]
        view = View(SAFFRON, *(path for path, _ in recordings))
        try:
            check_server(view)
            check_responses(view)
            check_page(view, recordings)
        finally:
            view.end()
    return 0


sys.exit(main())
