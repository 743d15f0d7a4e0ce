// SPDX-License-Identifier: MIT
// @ts-check
// The strip of batches, and the list of draws with small pictures.
import {ask} from './api.js';
import {element, Rows} from './rows.js';
import {paint} from './values.js';

const THUMBNAIL_PX = 48;
const ROW_PX = 44;
const LABELLED_ROW_PX = 60;
const BESIDE_ROW_PX = 100;
const MOST_BUTTONS = 1000;

export class Draws {
  /**
   * @param {(draw: number) => void} choose
   * @param {import('./beside.js').Beside} beside
   */
  constructor(choose, beside) {
    this.choose = choose;
    this.beside = beside;
    /** @type {import('./api.js').List | null} */
    this.list = null;
    this.recording = 0;
    this.most = 1;
    /** @type {Map<number, import('./api.js').Picture>} */
    this.pictures = new Map();
    /** @type {Set<number>} batches */
    this.asked = new Set();
    this.strip = /** @type {HTMLElement} */ (document.getElementById('strip'));
    const box = /** @type {HTMLElement} */ (document.getElementById('draws'));
    this.range = [0, 0]; // draws that are seen
    this.asks = false;
    /** @type {Map<number, string>} by draw: the labels around it */
    this.labels = new Map();
    this.rows = new Rows(box, ROW_PX, (row, i) => this.fill(row, i),
                         (i) => this.draws()[i] &&
                                this.choose(this.draws()[i].draw),
                         (from, to) => this.seen(from, to));
  }

  draws() {
    return this.list ? this.list.draws : [];
  }

  /** @param {number} recording */
  async load(recording) {
    this.recording = recording;
    this.list = /** @type {import('./api.js').List} */ (
      await ask('list', {r: recording}));
    this.pictures.clear();
    this.asked.clear();
    this.most = Math.max(1, ...this.draws().map((d) => d.cycles || 0));
    this.labels = labelsOf(this.list);
    this.layOut();
    this.showStrip();
    return this.list;
  }

  /** Rows are as high as what stands in them. */
  layOut() {
    const beside = this.beside.groups.length > 0;
    this.rows.box.classList.toggle('labelled', this.labels.size > 0);
    this.rows.box.classList.toggle('beside', beside);
    this.rows.height = beside ? BESIDE_ROW_PX
      : this.labels.size ? LABELLED_ROW_PX : ROW_PX;
    this.rows.setCount(this.draws().length);
  }

  showStrip() {
    // A frame ends with a present; without any, each batch is one.
    const marks = this.list ? this.list.marks : [];
    const presents = marks.filter((m) => m.text === 'present')
      .map((m) => m.batches);
    const what = presents.length ? 'frame' : 'batch';
    /** @type {Map<number, number>} the last draw of each */
    const last = new Map();
    let frame = 0;
    for (const d of this.draws()) {
      while (frame < presents.length && presents[frame] <= d.batch)
        frame++;
      last.set(presents.length ? frame : d.batch, d.draw);
    }
    const buttons = [...last].slice(0, MOST_BUTTONS).map(([number, draw]) => {
      const b = element('button', '', String(number));
      b.title = `${what} ${number}`;
      b.addEventListener('click', () => this.choose(draw));
      return b;
    });
    this.strip.setAttribute('aria-label', what === 'frame' ? 'Frames'
                                                           : 'Batches');
    this.strip.replaceChildren(...buttons);
  }

  /** @param {number} number */
  find(number) {
    return this.draws().findIndex((d) => d.draw === number);
  }

  /** @param {number} number */
  show(number) {
    this.rows.show(this.find(number));
    const reports = this.list ? this.list.reports.filter(
      (r) => r.draws === number + 1) : [];
    const box = document.getElementById('reports');
    if (box)
      box.replaceChildren(...reports.map((r) => element('p', 'bad', r.text)));
  }

  /** @param {HTMLElement} row @param {number} i */
  fill(row, i) {
    const d = this.draws()[i];
    const canvas = /** @type {HTMLCanvasElement} */ (element('canvas'));
    const picture = this.pictures.get(d.draw);
    if (picture)
      paint(canvas, picture);
    const cycles = (d.cycles || 0).toLocaleString('en');
    const text = d.dispatch ? 'dispatch' : `${d.vertices} vertices`;
    const labels = this.labels.get(d.draw);
    const lines = [`${d.draw}  ${text}`, `${cycles} cycles`, labels,
                   this.beside.text(d.draw)].filter((line) => line);
    row.append(canvas, element('span', '', lines.join('\n')),
               heat((d.cycles || 0) / this.most));
    row.dataset.draw = String(d.draw);
  }

  /** One batch after the other, and of those only what is still seen.
   *  @param {number} from @param {number} to */
  async seen(from, to) {
    this.range = [from, to];
    if (this.asks || !this.list || !this.list.recording)
      return;
    this.asks = true;
    for (let d = this.unknown(); d; d = this.unknown())
      await this.askPictures(d.batch);
    this.asks = false;
  }

  /** The first draw that is seen whose batch was not asked for. */
  unknown() {
    return this.draws().slice(...this.range).find(
      (d) => !this.asked.has(d.batch));
  }

  /** @param {number} batch */
  async askPictures(batch) {
    this.asked.add(batch);
    const recording = this.recording;
    try {
      const answer = await ask('pictures', {r: recording, batches: batch,
                                            px: THUMBNAIL_PX});
      if (recording !== this.recording)
        return;
      for (const p of answer.pictures)
        this.pictures.set(p.draw, p);
      this.rows.later();
    } catch (error) {
      console.info(`no pictures of batch ${batch}: ${error}`);
    }
  }
}

/** The rule of the chips that a report is about.
 *  @param {string} report */
function ruleOf(report) {
  const rule = /\b[A-Z]+-\d+\b/.exec(report);
  return rule ? rule[0] : 'report';
}

/**
 * What stands around each draw: the labels that have begun, the outer one
 * first, and what was said since the draw before.
 * @param {import('./api.js').List} list
 * @returns {Map<number, string>}
 */
export function labelsOf(list) {
  /** @type {Map<number, string>} */
  const found = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[]} */
  let said = [];
  let next = 0, reported = 0;
  for (const d of list.draws) {
    for (; next < list.marks.length && list.marks[next].draws <= d.draw;
         next++) {
      const text = list.marks[next].text;
      if (text.startsWith('begin '))
        open.push(text.slice(6));
      else if (text === 'end')
        open.pop();
      else if (text.startsWith('label '))
        said.push(text.slice(6));
    }
    // A report comes after the draw that it is about.
    for (; reported < list.reports.length &&
           list.reports[reported].draws <= d.draw + 1; reported++)
      said.push(ruleOf(list.reports[reported].text));
    const all = [open.join(' › '), ...said].filter((text) => text);
    if (all.length)
      found.set(d.draw, all.join(', '));
    said = [];
  }
  return found;
}

/**
 * A bar.
 * @param {number} part of its full length, from 0 to 1
 */
export function heat(part) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const rect = document.createElementNS(space, 'rect');
  svg.setAttribute('class', 'heat');
  svg.setAttribute('aria-hidden', 'true');
  rect.setAttribute('width', String(40 * Math.sqrt(part)));
  rect.setAttribute('height', '10');
  svg.append(rect);
  return svg;
}
