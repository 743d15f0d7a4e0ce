// SPDX-License-Identifier: MIT
// @ts-check
// What leads from one pane to the next.
import {ask} from './api.js';
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
const draws = new Draws((draw) => go({draw}));
const target = new Target(
  (x, y) => go({x, y}),
  (from, thread, step, reg) => go({from, thread, step, reg}));
const pane = new ThreadPane((step) => go({step}), (reg) => go({reg}));

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
  if (moved('r')) {
    const list = await draws.load(place.r);
    if (draws.find(place.draw) < 0 && list.draws.length)
      place.draw = list.draws[list.draws.length - 1].draw;
  }
  if (moved('r', 'draw', 'other') && place.draw >= 0) {
    draws.show(place.draw);
    await target.showDraw(place);
  }
  if (moved('r', 'draw', 'x', 'y') && place.x >= 0 && place.y >= 0) {
    input('x').value = String(place.x);
    input('y').value = String(place.y);
    const found = draws.draws()[draws.find(place.draw)];
    if (found)
      await target.showPixel(place, found.batch);
  }
  await showThread(moved);
}

/** @param {(...keys: (keyof import('./place.js').Place)[]) => boolean} moved
 */
async function showThread(moved) {
  if (place.thread < 0)
    return;
  if (moved('r', 'from', 'thread')) {
    await pane.load(place);
  } else if (moved('step', 'reg', 'type')) {
    await pane.load(place);
  }
  input('register').value = place.reg;
  input('type').value = place.type;
  if (moved('reg', 'step') && place.reg)
    get('found').replaceChildren();
}

/** @param {'writer' | 'readers'} question */
async function find(question) {
  const reg = input('register').value.trim();
  if (place.thread < 0 || !reg)
    return;
  try {
    place.reg = reg;
    const steps = await pane.find(question, place);
    say('');
    if (steps.length && question === 'writer') {
      const kept = [...get('found').childNodes];
      await go({step: steps[0].n});
      get('found').replaceChildren(...kept);
    }
  } catch (error) {
    say(String(error), true);
  }
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
  if (pane.thread)
    go({step: Math.min(pane.thread.steps - 1, Math.max(0, place.step + by))});
}

/** @type {Object<string, () => void>} */
const KEYS = {
  '[': () => moveDraw(-1), ']': () => moveDraw(1),
  '<': () => moveStep(-1), ',': () => moveStep(-1),
  '>': () => moveStep(1), '.': () => moveStep(1),
  'w': () => void find('writer'), 'e': () => void find('readers'),
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
get('writer').addEventListener('click', () => find('writer'));
get('readers').addEventListener('click', () => find('readers'));
input('register').addEventListener('change', () =>
  go({reg: input('register').value.trim()}));
get('type').addEventListener('change', () => go({type: input('type').value}));
get('recording').addEventListener('change', () =>
  go({r: Number(input('recording').value), thread: -1}));
get('other').addEventListener('change', () =>
  go({other: Number(input('other').value)}));
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

/** What is new of a program that runs, with its last draw. */
const live = new Live(async () => {
  const list = await draws.load(place.r);
  if (list.draws.length)
    await go({draw: list.draws[list.draws.length - 1].draw});
});

async function start() {
  await live.watch();
  const {recordings} = await ask('recordings');
  const options = recordings.map(
    (/** @type {string} */ name, /** @type {number} */ i) =>
      new Option(name, String(i)));
  get('recording').replaceChildren(...options);
  get('other').replaceChildren(new Option('none', '-1'), ...options.map(
    (/** @type {HTMLOptionElement} */ o) => o.cloneNode(true)));
  const wanted = place;
  place = {...place, r: -1};
  input('recording').value = String(wanted.r);
  input('other').value = String(wanted.other);
  await go({...wanted, r: Math.min(wanted.r, recordings.length - 1)});
}

start().catch((error) => say(String(error), true));
