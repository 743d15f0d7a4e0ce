// SPDX-License-Identifier: MIT
// @ts-check
// Source, NIR and EU of a program beside each other, as the compiler printed
// them, with what each instruction costs in the draw.
import {ask} from './api.js';
import {heat} from './draws.js';
import {element, Rows} from './rows.js';

// How the compiler's listing has them.
const CODE = /^\/\* ([0-9a-f]{4,}) \*\/ (.*)$/;
const NOTE = /^ +\/\/ (.*)$/;
const SOURCE = /^\S+:\d+: /;

/** @typedef {{kind: 'code' | 'nir' | 'source', text: string,
 *   offset: number}} Line */
/** @typedef {{offset: number, count: number, cycles: number}} Cost */

export class Listing {
  /**
   * @param {HTMLElement} box
   * @param {(offset: number) => void} choose
   */
  constructor(box, choose) {
    this.box = box;
    this.program = '';
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Map<number, Cost>} */
    this.costs = new Map();
    this.most = 1;
    this.rows = new Rows(this.box, 20, (row, i) => this.fill(row, i),
                         (i) => choose(this.lines[i].offset));
  }

  /** @param {number} r @param {import('./api.js').Thread} thread */
  async load(r, thread) {
    if (this.program === `${r} ${thread.draw} ${thread.program}`)
      return;
    this.program = `${r} ${thread.draw} ${thread.program}`;
    const {listing} = await ask('listing', {r, program: thread.program});
    this.lines = listing ? parse(listing) : [];
    this.costs.clear();
    this.box.hidden = !listing;
    this.rows.setCount(this.lines.length);
    if (listing)
      await this.loadCosts(r, thread);
  }

  /** @param {number} r @param {import('./api.js').Thread} thread */
  async loadCosts(r, thread) {
    const program = this.program;
    const answer = await ask('profile', {r, draw: thread.draw});
    if (program !== this.program)
      return;
    for (const s of answer.shaders) {
      if (s.program !== thread.program)
        continue;
      for (const c of s.instructions)
        this.costs.set(c.offset, c);
    }
    this.most = Math.max(1, ...[...this.costs.values()].map((c) => c.cycles));
    this.rows.later();
  }

  /** @param {number} offset */
  show(offset) {
    const i = this.lines.findIndex(
      (l) => l.kind === 'code' && l.offset === offset);
    if (i >= 0)
      this.rows.show(i);
  }

  /** @param {HTMLElement} row @param {number} i */
  fill(row, i) {
    const line = this.lines[i];
    const cost = line.kind === 'code' ? this.costs.get(line.offset)
                                      : undefined;
    const cycles = cost ? cost.cycles.toLocaleString('en') : '';
    row.append(element('span', 'number', cycles));
    if (cost)
      row.title = `${cycles} cycles of the draw, executed ${
        cost.count.toLocaleString('en')} times`;
    row.append(heat(cost ? cost.cycles / this.most : 0));
    const offset = line.offset.toString(16).padStart(4, '0');
    const text = line.kind === 'code' ? `${offset}  ${line.text}` : line.text;
    const names = {code: '', nir: 'nir', source: 'source-line'};
    row.append(element('span', names[line.kind], text));
  }
}

/** @param {string} listing @returns {Line[]} */
function parse(listing) {
  /** @type {Line[]} */
  const lines = [];
  for (const text of listing.split('\n')) {
    const code = CODE.exec(text), note = NOTE.exec(text);
    if (code)
      lines.push({kind: 'code', text: code[2], offset: parseInt(code[1], 16)});
    else if (note)
      lines.push({kind: SOURCE.test(note[1]) ? 'source' : 'nir',
                  text: note[1], offset: 0});
  }
  // What is above an instruction leads to it.
  for (let i = lines.length - 2; i >= 0; i--) {
    if (lines[i].kind !== 'code')
      lines[i].offset = lines[i + 1].offset;
  }
  return lines;
}
