# SPDX-License-Identifier: MIT
"""Chromium on the page of 'saffron view', for the tests of it.

Exits with 77 where there is no Chromium or no selenium.
"""

import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print('skipped: python3-selenium is not installed')
    sys.exit(77)

SECONDS = 20


class View:
    """The command, and its address."""

    def __init__(self, saffron, *words):
        self.process = subprocess.Popen(
            [saffron, 'view', '--no-browser', *map(str, words)],
            stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        self.address = re.match(r'saffron view: (\S+)$', line)[1]
        self.origin, self.token = self.address.split('/?token=')

    def end(self):
        self.process.terminate()
        self.process.wait()


def fetch(url, **headers):
    """(code, headers, body); redirects are not followed."""
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args):
            return None
    request = urllib.request.Request(url, headers=headers)
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), Stay)
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def open_browser():
    options = webdriver.ChromeOptions()
    for word in ('--headless=new', '--no-sandbox', '--disable-gpu',
                 '--disable-dev-shm-usage', '--window-size=1500,950',
                 '--no-proxy-server'):
        options.add_argument(word)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    try:
        browser = webdriver.Chrome(options=options)
    except WebDriverException as error:
        print(f'skipped: no Chromium: {error.msg}')
        sys.exit(77)
    browser.set_page_load_timeout(SECONDS)
    return browser


class Page:
    def __init__(self, browser):
        self.browser = browser

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, what, seconds=SECONDS):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = what()
                if value:
                    return value
            except WebDriverException:
                pass
            time.sleep(0.02)
        raise AssertionError(f'{what}: {self.find("#message").text!r} '
                             f'{self.browser.current_url}')

    def idle(self, act):
        """Acts, and waits until the page has followed."""
        def count():
            return int(self.find('body').get_attribute('data-idle') or 0)
        before = count()
        # The page may fill a list anew meanwhile.
        self.wait(lambda: act() or True)
        self.wait(lambda: count() > before)

    def place(self):
        return dict(re.findall(r'(\w+)=([^&]*)',
                               self.browser.current_url.partition('#')[2]))

    def click_pixel(self, x, y):
        canvas = self.find('#picture')
        width, height, across, down = (
            int(canvas.get_property(side)) for side in
            ('width', 'height', 'clientWidth', 'clientHeight'))
        scale = min(across / width, down / height)
        dx = (x + 0.5 - width / 2) * scale
        dy = (y + 0.5 - height / 2) * scale
        chain = webdriver.ActionChains(self.browser)
        self.idle(lambda: chain.move_to_element_with_offset(
            canvas, round(dx), round(dy)).click().perform())

    def key(self, key):
        self.idle(lambda: self.find('body').send_keys(key))


    def tab_to(self, selector):
        """By keys alone."""
        for _ in range(100):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
            if self.browser.execute_script(
                    'return document.activeElement.matches(arguments[0])',
                    selector):
                return self.browser.switch_to.active_element
        raise AssertionError(f'no {selector} by the tabulator')

    def press(self, key):
        self.idle(lambda: self.browser.switch_to.active_element
                  .send_keys(key))


def check_console(browser):
    bad = [m for m in browser.get_log('browser')
           if m['level'] in ('SEVERE', 'WARNING')]
    assert not bad, bad
