# SPDX-License-Identifier: MIT
"""'saffron view -- PROGRAM': the program waits at the end of a frame, and what
it has drawn so far can be asked for; then by the buttons of the page.

   test_live.py SAFFRON PROGRAM

PROGRAM presents some images.
"""

import http.client
import json
import re
import subprocess
import sys
import time

SAFFRON, PROGRAM = sys.argv[1:]
SECONDS = 60


class Page:
    """What a browser would ask."""

    def __init__(self, address):
        host, self.token = re.match(r'http://(\S+)/\?token=(\S+)$',
                                    address).groups()
        self.connection = http.client.HTTPConnection(host, timeout=SECONDS)

    def ask(self, path, method='GET', token=None):
        token = self.token if token is None else token
        mark = '&' if '?' in path else '?'
        self.connection.request(method, f'{path}{mark}token={token}')
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def wait(self, condition):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            state = self.ask('/api/live')[1]
            if condition(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f'still {state}')

    def presents(self):
        marks = self.ask('/api/list?r=0')[1]['marks']
        return sum(mark['text'] == 'present' for mark in marks)


def check(page):
    assert page.ask('/api/live')[1] == {'live': True, 'frame': 2,
                                        'ended': False}
    assert page.presents() == 2
    assert page.ask('/api/live?frame=3', 'POST', 'x')[0] == 403
    assert page.ask('/api/live?frame=x', 'POST')[0] == 400
    assert page.ask('/api/list?frame=3', 'POST')[0] == 404
    assert page.ask('/api/live')[1]['frame'] == 2
    # It may be there already, but waits no longer where it did.
    status, state = page.ask('/api/live?frame=3', 'POST')
    assert status == 200 and state['frame'] in (None, 3), state
    page.wait(lambda state: state['frame'] == 3)
    assert page.presents() == 3
    status, state = page.ask('/api/live?frame=', 'POST')
    assert status == 200 and state['frame'] is None, state
    page.wait(lambda state: state['ended'])
    assert page.presents() > 3


def check_buttons(address):
    """Next frame, Go on, and Stop at a frame, unless it has ended by then;
    then Go on to its end."""
    import browser as chromium
    browser = chromium.open_browser()
    try:
        page = chromium.Page(browser)
        browser.get(address)

        def says(pattern):
            def seen():
                return re.search(pattern, page.find('#live-frame').text)
            try:
                return page.wait(seen)[0]
            except AssertionError as error:
                raise AssertionError(
                    f'{pattern}: {page.find("#live-frame").text!r}') from error

        def frames():
            """That the page has draws of."""
            return len(page.all('#strip button'))
        says('^waits after frame 2$')
        page.wait(lambda: page.find('body').get_attribute('data-idle'))
        shown = frames()
        assert not page.find('#live-stop').is_enabled()
        page.idle(page.find('#live-next').click)
        says('^waits after frame 3$')
        assert frames() > shown
        shown = frames()
        page.find('#live-go').click()
        says('^runs$|^has ended$')
        assert not page.find('#live-next').is_enabled()
        # Disabled, if it ends before the click.
        page.find('#live-stop').click()
        if says('^waits after frame|^has ended$') != 'has ended':
            page.find('#live-go').click()
        says('^has ended$')
        page.wait(lambda: frames() > shown)
        assert not page.find('#live-stop').is_enabled()
        chromium.check_console(browser)
    finally:
        browser.quit()


def with_view(check_address):
    view = subprocess.Popen(
        [SAFFRON, 'view', '--no-browser', '--frame=2', '--', PROGRAM],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for line in view.stderr:
            found = re.match(r'saffron view: (http\S+)$', line)
            if found:
                check_address(found[1])
                break
        else:
            raise AssertionError('no address')
    finally:
        view.terminate()
        view.wait()


def main():
    with_view(lambda address: check(Page(address)))
    with_view(check_buttons)
    return 0


sys.exit(main())
