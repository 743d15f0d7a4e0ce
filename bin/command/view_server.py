# SPDX-License-Identifier: MIT
"""The server of 'saffron view': the page's files, and answers of 'saffron
trace --json'. It hears this machine only, and answers only who has the
token."""
import collections
import contextlib
import hmac
import http.cookies
import http.server
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time
import urllib.parse

from command import looking

TYPES = {'.html': 'text/html; charset=utf-8',
         '.css': 'text/css; charset=utf-8',
         '.js': 'text/javascript; charset=utf-8'}
# Nothing from outside, and no text that becomes a script or a style.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'")
HEADERS = {'Content-Security-Policy': POLICY,
           'X-Content-Type-Options': 'nosniff',
           'Referrer-Policy': 'no-referrer',
           'Cross-Origin-Resource-Policy': 'same-origin',
           'Cross-Origin-Opener-Policy': 'same-origin',
           'Cache-Control': 'no-store'}
RESPONSES_KEPT = 64
TRACES_KEPT = 8
SECONDS = 300

NUMBER = r'\d{1,9}'
REGISTER = r'(?:r\d{1,3}|acc[01]|a0|f[01]|cr0|sr0)(?:\.[0-7])?'


class Bad(Exception):
    """A request that is not answered: code and reason."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


class Query:
    """A row: which parameters a question has, and the options of 'saffron
    trace' that it becomes; of: what is asked, the recording or the trace of a
    thread or of a draw's threads."""

    def __init__(self, options, of='recording', **parameters):
        self.options, self.of, self.parameters = options, of, parameters


QUERIES = {
    'list': Query([]),
    'pictures': Query(['--pictures={px}', '--batches={batches}'],
                      px=NUMBER, batches=NUMBER + '(?:-' + NUMBER + ')?'),
    'picture': Query(['--pictures={px}', '--draw={draw}'], px=NUMBER,
                     draw=NUMBER),
    'history': Query(['--history={x},{y}', '--batches={batches}'], x=NUMBER,
                     y=NUMBER, batches=NUMBER + '(?:-' + NUMBER + ')?'),
    'state': Query(['--commands=full', '--batches={batches}'],
                   batches=NUMBER),
    'threads': Query(['--draw={draw}', '--stage={stage}'], draw=NUMBER,
                     stage='[vhdgfc]s'),
    'pixel_threads': Query(['--draw={draw}', '--pixel={x},{y}'],
                           draw=NUMBER, x=NUMBER, y=NUMBER),
    'steps': Query(['--steps={start},{count}'], 'thread', draw=NUMBER,
                   thread=NUMBER, start=NUMBER, count=r'\d{1,4}'),
    'registers': Query(['--registers={after}'], 'thread', draw=NUMBER,
                       thread=NUMBER, after=NUMBER),
    'writer': Query(['--writer={reg}@{before}'], 'thread', draw=NUMBER,
                    thread=NUMBER, reg=REGISTER, before=NUMBER),
    'readers': Query(['--readers={reg}@{start}'], 'thread', draw=NUMBER,
                     thread=NUMBER, reg=REGISTER, start=NUMBER),
    'accesses': Query(['--address={address}+{bytes}', '--batches={batches}'],
                      address='0x[0-9a-f]{1,16}', bytes=NUMBER,
                      batches=NUMBER + '(?:-' + NUMBER + ')?'),
    'align': Query(['--align={other}'], other=NUMBER),
    'compare': Query(['--compare={other}'], other=NUMBER),
    'profile': Query(['--profile=json', '--draw={draw}'], draw=NUMBER),
    'listing': Query(['--listing={program}'], program='[0-9a-f]{16}'),
}


class Kept:
    """The last values that were asked for; each is made once."""

    def __init__(self, count, drop=lambda value: None):
        self.values, self.count, self.drop = collections.OrderedDict(), \
            count, drop
        self.lock, self.making = threading.Lock(), {}

    def get(self, key, make):
        with self.lock:
            if key in self.values:
                self.values.move_to_end(key)
                return self.values[key]
            lock = self.making.setdefault(key, threading.Lock())
        with lock:
            with self.lock:
                if key in self.values:
                    return self.values[key]
            value = make()
            with self.lock:
                self.values[key] = value
                self.making.pop(key, None)
                while len(self.values) > self.count:
                    self.drop(self.values.popitem(last=False)[1])
        return value


class Traces:
    """Answers of the tool about recordings."""

    def __init__(self, tool, files, folder):
        self.tool, self.files, self.folder = tool, files, folder
        self.answers = Kept(RESPONSES_KEPT)
        self.traces = Kept(TRACES_KEPT)
        self.count = 0

    def run(self, *options):
        try:
            done = subprocess.run([self.tool, *options],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=SECONDS,
                                  check=False)
        except subprocess.TimeoutExpired:
            raise Bad(504, 'this takes too long') from None
        if done.returncode:
            text = done.stderr.decode(errors='replace').strip()
            raise Bad(404, text.split('\n')[-1])
        return done.stdout

    def of_thread(self, path, draw, thread):
        """The file of the thread's trace, which is made once."""
        def make():
            self.count += 1
            name = os.path.join(self.folder, f'{self.count}.trace')
            self.run(f'--draw={draw}', f'--thread={thread}', f'--save={name}',
                     path)
            return name
        return self.traces.get((path, draw, thread), make)

    @staticmethod
    def notes(recording):
        """What shaders were made from is beside the recording."""
        path = recording + looking.SHADERS
        return [f'--shaders={path}'] if os.path.exists(path) else []

    def file(self, number):
        if not number.isdecimal() or int(number) >= len(self.files):
            raise Bad(404, 'there is no such recording')
        return self.files[int(number)]

    def answer(self, name, parameters):
        query = QUERIES.get(name)
        if not query:
            raise Bad(404, 'there is no such question')
        path = self.file(parameters.pop('r', '0'))
        for key, pattern in query.parameters.items():
            if not re.fullmatch(pattern, parameters.get(key, '')):
                raise Bad(400, f"{name}: '{key}' is missing or wrong")
        if set(parameters) != set(query.parameters):
            raise Bad(400, f'{name}: one parameter too many')
        if 'other' in parameters:
            parameters['other'] = self.file(parameters['other'])
        options = [o.format(**parameters) for o in query.options]
        if query.of == 'thread':
            options += self.notes(path)
            path = self.of_thread(path, parameters['draw'],
                                  parameters['thread'])
        words = ('--json', *options, path)
        # Of a program that still runs there is more each time.
        return self.answers.get((*words, os.path.getsize(path)),
                                lambda: self.run(*words))


class Live:
    """A program that is recorded while the page is open, and waits at the end
    of a frame: SAFFRON_SIM_PAUSE."""

    def __init__(self, words, folder, frame, environment):
        self.path = os.path.join(folder, 'pause')
        self.go_to(frame)
        self.process = subprocess.Popen(
            words, env={**environment, 'SAFFRON_SIM_PAUSE': self.path},
            start_new_session=True)

    def go_to(self, frame):
        """Until the end of this one; None: on and on."""
        self.until = frame
        if frame is None:
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.path)
            return
        with open(self.path + '.new', 'w', encoding='ascii') as f:
            f.write(f'{frame}\n')
        os.replace(self.path + '.new', self.path)

    def state(self):
        """What /api/live says: where it waits, if it does. Not where it was
        sent on from, which it may not have read yet."""
        frame, until = None, self.until
        with contextlib.suppress(FileNotFoundError, ValueError):
            with open(self.path + '.at', encoding='ascii') as f:
                frame = int(f.read())
        ended = self.process.poll() is not None
        waits = not ended and None not in (frame, until) and frame >= until
        return {'live': True, 'frame': frame if waits else None,
                'ended': ended}

    def wait(self):
        """Until it waits itself, or has ended."""
        state = self.state()
        while state['frame'] is None and not state['ended']:
            time.sleep(0.02)
            state = self.state()

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version, sys_version = 'saffron', ''

    def log_message(self, format, *args):
        pass

    def send(self, code, type_, body, **more):
        self.send_response(code)
        for name, value in {**HEADERS, **more}.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Type', type_)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def has_cookie(self):
        try:
            cookies = http.cookies.SimpleCookie(self.headers.get('Cookie'))
        except http.cookies.CookieError:
            return False
        name = self.server.cookie()
        return name in cookies and hmac.compare_digest(
            cookies[name].value.encode(), self.server.token.encode())

    def check(self, query):
        """The name that it was called by is this machine's, whoever the page
        is of that asks; and it has the token."""
        if self.headers.get('Host') not in self.server.names():
            raise Bad(421, 'this is another host')
        if self.headers.get('Sec-Fetch-Site') == 'cross-site':
            raise Bad(403, 'another page asks')
        token = query.get('token', '')
        if not self.has_cookie() and not hmac.compare_digest(
                token.encode(), self.server.token.encode()):
            raise Bad(403, 'this wants the address with its token, which '
                      "'saffron view' prints")

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        self.check(query)
        has_token = query.pop('token', None) is not None
        if url.path == '/' and has_token:
            self.send(303, TYPES['.html'], b'', Location='/', Set_Cookie=(
                f'{self.server.cookie()}={self.server.token}; HttpOnly; '
                'SameSite=Strict; Path=/'))
        elif url.path == '/api/recordings':
            self.send(200, 'application/json',
                      json.dumps(self.server.recordings()).encode())
        elif url.path == '/api/live':
            self.send(200, 'application/json',
                      json.dumps(self.server.live_state()).encode())
        elif url.path.startswith('/api/'):
            self.send(200, 'application/json', self.server.traces.answer(
                url.path[len('/api/'):], query))
        else:
            name = url.path[1:] or 'index.html'
            if name not in self.server.page:
                raise Bad(404, 'there is no such file')
            self.send(200, *self.server.page[name])

    def move(self):
        """POST /api/live: on to the end of a frame, or on and on."""
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        self.check(query)
        if url.path != '/api/live' or not self.server.live:
            raise Bad(404, 'no program runs')
        frame = query.get('frame', '')
        if frame and not re.fullmatch(NUMBER, frame):
            raise Bad(400, "live: 'frame' is wrong")
        self.server.live.go_to(int(frame) if frame else None)
        self.send(200, 'application/json',
                  json.dumps(self.server.live_state()).encode())

    def do_POST(self):
        self.respond(self.move)

    def do_GET(self):
        self.respond(self.answer)

    def respond(self, answer):
        try:
            answer()
        except Bad as bad:
            self.send(bad.code, 'application/json',
                      json.dumps({'error': str(bad)}).encode())
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def read_page(folder):
    """The page's files by name: (type, bytes)."""
    page = {}
    for name in sorted(os.listdir(folder)):
        kind = TYPES.get(os.path.splitext(name)[1])
        if kind:
            with open(os.path.join(folder, name), 'rb') as f:
                page[name] = kind, f.read()
    return page


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, tool, files, folder, page, port=0, live=None):
        super().__init__(('127.0.0.1', port), Handler)
        self.live = live
        self.token = secrets.token_urlsafe(24)
        self.files = files
        self.traces = Traces(tool, files, folder)
        self.page = read_page(page)

    def names(self):
        return [f'{host}:{self.server_port}'
                for host in ('127.0.0.1', 'localhost')]

    def cookie(self):
        """Its name: hosts have cookies, ports have none of their own."""
        return f'saffron-{self.server_port}'

    def address(self):
        return f'http://127.0.0.1:{self.server_port}/?token={self.token}'

    def live_state(self):
        return self.live.state() if self.live else {
            'live': False, 'frame': None, 'ended': True}

    def recordings(self):
        return {'recordings': [os.path.basename(f) for f in self.files]}


def open_browser(address):
    """Without a display there is none to open."""
    if not (os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY')):
        return
    opener = shutil.which('xdg-open')
    if opener:
        subprocess.Popen([opener, address], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
