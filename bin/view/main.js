// SPDX-License-Identifier: MIT
// @ts-check
// What leads from one pane to the next.
import {ask} from './api.js';
import {Beside} from './beside.js';
import {Draws} from './draws.js';
import {Live} from './live.js';
import * as places from './place.js';
import {element} from './rows.js';
import {showState} from './state.js';
import {Target} from './target.js';
import {ThreadPane} from './thread.js';

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (get(id));

let place = places.read();
const beside = new Beside();
const draws = new Draws((draw) => go({draw}), beside);
/** @type {import('./api.js').List | null} of the other recording */
let otherList = null;
const target = new Target(
  (x, y) => go({x, y}),
  (side, from, thread, step, reg) =>
    go(places.onSide({from, thread, step, reg}, side)));
makeOtherThread();
const PREFIXES = ['', 'other-'];
const panes = PREFIXES.map((prefix, side) => new ThreadPane(
  prefix, (step) => go(places.onSide({step}, side)),
  (reg) => go(places.onSide({reg}, side))));

/** The second thread's pane is as the first one. */
function makeOtherThread() {
  const section = get('thread');
  const copy = /** @type {HTMLElement} */ (section.cloneNode(true));
  for (const e of [copy, ...copy.querySelectorAll('[id]')])
    e.id = 'other-' + e.id;
  copy.setAttribute('aria-label', 'Thread of the other recording');
  copy.hidden = true;
  section.after(copy);
}

/** @param {string} text @param {boolean} [bad] */
function say(text, bad = false) {
  get('message').textContent = text;
  get('message').classList.toggle('bad', bad);
}

/** Goes there; what has changed is shown.
 *  @param {Partial<import('./place.js').Place>} change */
async function go(change) {
  const was = place;
  place = {...place, ...change};
  try {
    say('…');
    await show(was);
    places.write(place);
    say('');
    document.body.dataset.idle = String(++shown);
  } catch (error) {
    say(String(error instanceof Error ? error.message : error), true);
  }
}
let shown = 0;

/** @param {import('./place.js').Place} was */
async function show(was) {
  /** @param {(keyof import('./place.js').Place)[]} keys */
  const moved = (...keys) => keys.some((k) => place[k] !== was[k]);
  if (moved('r', 'other'))
    await showOther();
  if (moved('r')) {
    const list = await draws.load(place.r);
    if (draws.find(place.draw) < 0 && list.draws.length)
      place.draw = list.draws[list.draws.length - 1].draw;
  }
  if (moved('other'))
    draws.layOut();
  const otherDraw = beside.otherOf(place.draw);
  if (moved('r', 'draw', 'other') && place.draw >= 0) {
    draws.show(place.draw);
    await target.showDraw(place, otherDraw);
  }
  if (moved('r', 'draw', 'other', 'x', 'y') && place.x >= 0 && place.y >= 0) {
    input('x').value = String(place.x);
    input('y').value = String(place.y);
    const found = draws.draws()[draws.find(place.draw)];
    const other = otherList && otherList.draws.find(
      (d) => d.draw === otherDraw);
    if (found)
      await target.showPixel(place, found.batch, other ? other.batch : -1);
  }
  await showThread(0, moved('r', 'from', 'thread', 'step', 'reg', 'type'));
  await showThread(1, moved('other', 'from2', 'thread2', 'step2', 'reg2',
                            'type'));
}

/** The recording beside this one. */
async function showOther() {
  const {r, other} = place;
  await beside.load(r, other);
  otherList = other < 0 ? null : await ask('list', {r: other});
  get('other-thread').hidden = other < 0;
  get('difference-button').hidden = other < 0;
  document.querySelector('main')?.classList.toggle('beside', other >= 0);
}

/** To the first draw after which a target differs, and its first pixel. */
async function findDifference() {
  if (place.other < 0)
    return;
  try {
    say('…');
    const found = await beside.first(place.r, place.other);
    if (found)
      await go({draw: found.draw, x: found.x, y: found.y});
    else
      say('no target differs');
  } catch (error) {
    say(String(error), true);
  }
}

/** @param {number} side @param {boolean} moved */
async function showThread(side, moved) {
  const at = places.threadPlace(place, side);
  if (at.thread < 0 || at.r < 0)
    return;
  if (moved)
    await panes[side].load(at);
  input(PREFIXES[side] + 'register').value = at.reg;
  input(PREFIXES[side] + 'type').value = at.type;
  if (moved && at.reg)
    get(PREFIXES[side] + 'found').replaceChildren();
}

/** @param {'writer' | 'readers'} question @param {number} side */
async function find(question, side) {
  const reg = input(PREFIXES[side] + 'register').value.trim();
  if (places.threadPlace(place, side).thread < 0 || !reg)
    return;
  try {
    place = {...place, ...places.onSide({reg}, side)};
    const steps = await panes[side].find(question,
                                         places.threadPlace(place, side));
    say('');
    if (steps.length && question === 'writer') {
      const box = get(PREFIXES[side] + 'found');
      const kept = [...box.childNodes];
      await go(places.onSide({step: steps[0].n}, side));
      box.replaceChildren(...kept);
    }
  } catch (error) {
    say(String(error), true);
  }
}

/** The thread that keys mean: the one with the focus. */
function sideOfKeys() {
  return get('other-thread').contains(document.activeElement) ? 1 : 0;
}

/** @param {number} by */
function moveDraw(by) {
  const all = draws.draws();
  const i = draws.find(place.draw) + by;
  if (all[i])
    go({draw: all[i].draw});
}

/** @param {number} by */
function moveStep(by) {
  const side = sideOfKeys(), {thread} = panes[side];
  const step = places.threadPlace(place, side).step + by;
  if (thread)
    go(places.onSide(
      {step: Math.min(thread.steps - 1, Math.max(0, step))}, side));
}

/** @type {Object<string, () => void>} */
const KEYS = {
  '[': () => moveDraw(-1), ']': () => moveDraw(1),
  '<': () => moveStep(-1), ',': () => moveStep(-1),
  '>': () => moveStep(1), '.': () => moveStep(1),
  'w': () => void find('writer', sideOfKeys()),
  'e': () => void find('readers', sideOfKeys()),
  'r': () => panes[sideOfKeys()].nextRegister(
    places.threadPlace(place, sideOfKeys()).reg),
  'd': () => void findDifference(),
};

document.addEventListener('keydown', (e) => {
  const typing = e.target instanceof HTMLInputElement ||
    e.target instanceof HTMLSelectElement;
  if (!typing && !e.ctrlKey && !e.metaKey && !e.altKey && KEYS[e.key]) {
    e.preventDefault();
    KEYS[e.key]();
  }
});
get('pixel').addEventListener('submit', (e) => {
  e.preventDefault();
  const x = Number(input('x').value), y = Number(input('y').value);
  if (Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0)
    go({x, y});
});
PREFIXES.forEach((prefix, side) => {
  get(prefix + 'writer').addEventListener('click', () => find('writer', side));
  get(prefix + 'readers').addEventListener('click',
                                           () => find('readers', side));
  input(prefix + 'register').addEventListener('change', () => go(places.onSide(
    {reg: input(prefix + 'register').value.trim()}, side)));
  get(prefix + 'type').addEventListener('change', () =>
    go({type: input(prefix + 'type').value}));
});
get('difference-button').addEventListener('click', findDifference);
get('recording').addEventListener('change', () =>
  go({r: Number(input('recording').value), thread: -1}));
get('other').addEventListener('change', () =>
  go({other: Number(input('other').value), thread2: -1}));
get('help-button').addEventListener('click', () => {
  get('help').hidden = !get('help').hidden;
  get('help-button').setAttribute('aria-expanded',
                                  String(!get('help').hidden));
});
get('state-button').addEventListener('click', async () => {
  const found = draws.draws()[draws.find(place.draw)];
  if (found)
    await showState(place.r, found).catch((e) => say(String(e), true));
});
get('threads-button').addEventListener('click', listThreads);
addEventListener('hashchange', () => go(places.read()));

async function listThreads() {
  try {
    const stages = ['vs', 'hs', 'ds', 'gs', 'cs']; // pixels lead to fs
    const rows = [];
    for (const stage of stages) {
      const answer = await ask('threads', {r: place.r, draw: place.draw,
                                           stage});
      for (const t of answer.threads.slice(0, 200)) {
        const b = element('button', 'event', `${stage} thread ${t.thread}: ${
          t.steps} instructions, ${t.cycles} cycles`);
        b.addEventListener('click', () =>
          go({from: t.draw, thread: t.thread, step: 0}));
        rows.push(b);
      }
    }
    get('history-title').textContent = `Threads of draw ${place.draw}`;
    get('history').replaceChildren(...rows);
  } catch (error) {
    say(String(error), true);
  }
}

/** What is new of a program that runs; its last draw, if it was asked for. */
const live = new Live(async (follows) => {
  try {
    const list = await draws.load(place.r);
    if (follows && list.draws.length)
      await go({draw: list.draws[list.draws.length - 1].draw});
  } catch (error) {
    say(String(error), true);
  }
});

async function start() {
  const state = await live.look();
  const {recordings} = await ask('recordings');
  const options = recordings.map(
    (/** @type {string} */ name, /** @type {number} */ i) =>
      new Option(name, String(i)));
  get('recording').replaceChildren(...options);
  get('other').replaceChildren(new Option('none', '-1'), ...options.map(
    (/** @type {HTMLOptionElement} */ o) => o.cloneNode(true)));
  const wanted = place;
  place = {...place, r: -1, other: -1};
  input('recording').value = String(wanted.r);
  input('other').value = String(wanted.other);
  await go({...wanted, r: Math.min(wanted.r, recordings.length - 1),
            other: Math.min(wanted.other, recordings.length - 1)});
  await live.watch(state);
}

start().catch((error) => say(String(error), true));
