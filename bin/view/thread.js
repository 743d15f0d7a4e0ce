// SPDX-License-Identifier: MIT
// @ts-check
// A thread: its instructions, and its registers at the step that is chosen.
import {ask} from './api.js';
import {heat} from './draws.js';
import {Listing} from './listing.js';
import {element, Rows} from './rows.js';
import {lanes, registerName} from './values.js';

const WINDOW = 256; // steps that are asked for at once
const WINDOWS_KEPT = 64;
const REGISTER = /\b(r\d+(?:\.\d+)?|acc[01]|a0|f[01])\b/g;

export class ThreadPane {
  /**
   * @param {string} prefix of its elements' ids
   * @param {(step: number) => void} chooseStep
   * @param {(reg: string) => void} chooseRegister
   */
  constructor(prefix, chooseStep, chooseRegister) {
    this.prefix = prefix;
    this.chooseStep = chooseStep;
    this.chooseRegister = chooseRegister;
    /** @type {import('./api.js').Thread | null} */
    this.thread = null;
    /** @type {{r: number, draw: number, thread: number}} */
    this.which = {r: 0, draw: -1, thread: -1};
    /** @type {Map<number, import('./api.js').Step[]>} by window */
    this.windows = new Map();
    /** @type {Set<number>} */
    this.asked = new Set();
    this.range = [0, 0]; // steps that are seen
    this.asks = false;
    this.most = 1;
    this.step = 0;
    this.type = 'f';
    /** @type {number[][]} */
    this.registers = [];
    this.steps = new Rows(this.get('steps'), 20, (row, i) => this.fill(row, i),
                          (i) => this.chooseStep(i),
                          (from, to) => this.seen(from, to));
    this.listing = new Listing(this.get('source'), (offset) => this.goTo(offset));
    this.registerRows = new Rows(this.get('registers'), 20,
                                 (row, i) => this.fillRegister(row, i));
  }

  /** @param {string} id */
  get(id) {
    return /** @type {HTMLElement} */ (
      document.getElementById(this.prefix + id));
  }

  /** @param {import('./place.js').ThreadPlace} place */
  async load(place) {
    const which = {r: place.r, draw: place.from, thread: place.thread};
    if (JSON.stringify(which) !== JSON.stringify(this.which)) {
      this.which = which;
      this.windows.clear();
      this.asked.clear();
      this.most = 1;
      this.thread = null;
      await this.ask(Math.floor(Math.max(0, place.step) / WINDOW));
      const thread = /** @type {any} */ (this.thread);
      if (thread)
        await this.listing.load(place.r, thread);
    }
    await this.showStep(place);
  }

  /** @param {number} w a window */
  async ask(w) {
    if (this.asked.has(w))
      return;
    this.asked.add(w);
    const which = this.which;
    const answer = await ask('steps', {...which, start: w * WINDOW,
                                       count: WINDOW});
    if (which !== this.which)
      return;
    this.windows.set(w, answer.steps);
    if (this.windows.size > WINDOWS_KEPT) {
      const oldest = [...this.windows.keys()][0];
      this.windows.delete(oldest);
      this.asked.delete(oldest);
    }
    for (const s of answer.steps)
      this.most = Math.max(this.most, s.cost);
    this.thread = answer.thread;
    const t = answer.thread;
    this.get('thread-title').textContent = `${t.stage} thread ${t.thread} of draw ${
      t.draw}: SIMD${t.simd}, ${t.steps.toLocaleString('en')} instructions, ${
      t.cycles.toLocaleString('en')} cycles`;
    this.steps.setCount(t.steps);
  }

  /** @param {number} n */
  at(n) {
    const w = this.windows.get(Math.floor(n / WINDOW));
    return w ? w[n % WINDOW] : undefined;
  }

  /** One window after the other, and of those only what is still seen.
   *  @param {number} from @param {number} to */
  async seen(from, to) {
    this.range = [from, to];
    if (this.asks)
      return;
    this.asks = true;
    try {
      for (let w = this.unknown(); w >= 0; w = this.unknown())
        await this.ask(w);
    } finally {
      this.asks = false;
    }
  }

  /** The first window that is seen and was not asked for; -1: none. */
  unknown() {
    const [from, to] = this.range;
    for (let w = Math.floor(from / WINDOW); w * WINDOW < to; w++) {
      if (!this.asked.has(w))
        return w;
    }
    return -1;
  }

  /**
   * To the next step at this offset of those that are known, or the first.
   * @param {number} offset
   */
  goTo(offset) {
    const known = [...this.windows.values()].flat()
      .filter((s) => s.offset === offset).map((s) => s.n)
      .sort((a, b) => a - b);
    const next = known.find((n) => n > this.step);
    if (known.length)
      this.chooseStep(next === undefined ? known[0] : next);
  }

  /** @param {HTMLElement} row @param {number} i */
  fill(row, i) {
    const s = this.at(i);
    if (!s) {
      row.append(element('span', 'number', String(i)), ' …');
      return;
    }
    row.dataset.step = String(i);
    const cost = element('span', 'number narrow', String(s.cost));
    cost.title = `${s.cost} cycles, ${s.issue} of them to issue; from cycle ${
      s.cycle} on`;
    const offset = s.offset.toString(16).padStart(4, '0');
    row.append(element('span', 'number narrow', String(i)),
               element('span', 'number narrow', offset), cost,
               heat(s.cost / this.most), this.text(s.text));
  }

  /**
   * The instruction, with its registers to be clicked.
   * @param {string} s
   */
  text(s) {
    const out = element('span');
    let end = 0;
    for (const m of s.matchAll(REGISTER)) {
      const name = m[0].split('.')[0];
      // An option of a list has no buttons; the key is nextRegister().
      const b = element('span', 'reg', m[0]);
      b.addEventListener('click', (e) => {
        e.stopPropagation();
        const row = /** @type {HTMLElement} */ (b.closest('.row'));
        this.chooseStep(Number(row.dataset.step));
        this.chooseRegister(name);
      });
      out.append(s.slice(end, m.index), b);
      end = (m.index || 0) + m[0].length;
    }
    out.append(s.slice(end));
    return out;
  }

  /** To the next register that stands in the instruction.
   *  @param {string} reg the one that is chosen */
  nextRegister(reg) {
    const s = this.at(this.step);
    const names = s ? [...s.text.matchAll(REGISTER)].map(
      (m) => m[0].split('.')[0]) : [];
    const i = names.indexOf(reg.split('.')[0]);
    if (names.length)
      this.chooseRegister(names[(i + 1) % names.length]);
  }

  /** @param {import('./place.js').ThreadPlace} place */
  async showStep(place) {
    this.step = place.step;
    this.type = place.type;
    this.steps.show(place.step);
    const which = this.which;
    // After the instruction, as 'saffron trace' shows it.
    const answer = await ask('registers', {...which, after: place.step + 1});
    if (which !== this.which || this.step !== place.step)
      return;
    this.registers = answer.registers;
    await this.ask(Math.floor(place.step / WINDOW));
    const now = this.at(place.step);
    if (now)
      this.listing.show(now.offset);
    this.registerRows.setCount(this.registers.length);
    this.registerRows.later();
    const m = /^r(\d+)/.exec(place.reg);
    this.registerRows.chosen = -1;
    if (m)
      this.registerRows.show(Number(m[1]));
    this.get('registers').dataset.after = String(answer.after);
  }

  /** @param {HTMLElement} row @param {number} i */
  fillRegister(row, i) {
    const s = this.at(this.step);
    const changed = s && String(i) in s.writes;
    const b = element('button', 'reg narrow', registerName(i));
    b.addEventListener('click', () => this.chooseRegister(registerName(i)));
    row.dataset.reg = registerName(i);
    row.append(b);
    row.classList.toggle('changed', Boolean(changed));
    row.classList.toggle('chosen', i === this.registerRows.chosen);
    const dwords = this.registers[i];
    const values = lanes(dwords, i < 128 ? this.type : 'x');
    row.append(...values.map((v) => element('span', 'lane', v)));
  }

  /**
   * Who wrote the register before the step, or reads it after it.
   * @param {'writer' | 'readers'} question
   * @param {import('./place.js').ThreadPlace} place
   */
  async find(question, place) {
    const [key, step] = question === 'writer' ? ['before', place.step]
                                              : ['start', place.step + 1];
    const answer = await ask(question, {...this.which, reg: place.reg,
                                        [key]: step});
    const buttons = answer.steps.slice(0, 12).map(
      (/** @type {import('./api.js').Step} */ s) => {
        const b = element('button', '', `${s.n}: ${s.text.split(' ')[0]}`);
        b.title = s.text;
        b.dataset.step = String(s.n);
        b.addEventListener('click', () => this.chooseStep(s.n));
        return b;
      });
    const none = question === 'writer'
      ? 'as the thread was started with' : 'nobody reads it';
    this.get('found').replaceChildren(...(buttons.length ? buttons : [none]));
    return answer.steps;
  }
}
