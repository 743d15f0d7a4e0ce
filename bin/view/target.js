// SPDX-License-Identifier: MIT
// @ts-check
// The target after a draw, a pixel of it, and what happened to that.
import {ask} from './api.js';
import {element} from './rows.js';
import {paintDifference} from './beside.js';
import {paint} from './values.js';

const LARGEST_PX = 16384;
// Of a longer recording only so many batches are run again for a pixel.
const BATCHES_BACK = 63;

/** @param {string} id */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class Target {
  /**
   * @param {(x: number, y: number) => void} choosePixel
   * @param {(side: number, draw: number, thread: number, step: number,
   *   reg: string) => void} chooseThread
   */
  constructor(choosePixel, chooseThread) {
    this.choosePixel = choosePixel;
    this.chooseThread = chooseThread;
    this.canvas = /** @type {HTMLCanvasElement} */ (get('picture'));
    this.other = /** @type {HTMLCanvasElement} */ (get('other-picture'));
    this.difference = /** @type {HTMLCanvasElement} */ (get('difference'));
    /** @type {import('./api.js').Picture | null} */
    this.picture = null;
    this.x = this.y = -1;
    this.number = 0; // of the question; late answers are dropped
    this.canvas.addEventListener('click', (e) => this.click(e));
    this.canvas.addEventListener('keydown', (e) => this.key(e));
  }

  /** @param {import('./place.js').Place} place
   *  @param {number} otherDraw of the other recording; -1: none */
  async showDraw(place, otherDraw) {
    const number = ++this.number;
    const ask_px = {draw: place.draw, px: LARGEST_PX};
    const answer = await ask('picture', {r: place.r, ...ask_px});
    if (number !== this.number)
      return;
    this.picture = answer.pictures[0] || null;
    this.repaint();
    get('target-title').textContent = this.picture
      ? `Target at ${this.picture.address} after draw ${place.draw}`
      : `Draw ${place.draw} writes to no target`;
    this.other.hidden = this.difference.hidden = true;
    if (otherDraw < 0)
      return;
    const second = await ask('picture', {...ask_px, r: place.other,
                                         draw: otherDraw});
    if (number === this.number && second.pictures[0])
      this.showOther(second.pictures[0], otherDraw);
  }

  /** @param {import('./api.js').Picture} picture @param {number} draw */
  showOther(picture, draw) {
    this.other.hidden = false;
    paint(this.other, picture);
    if (!this.picture)
      return;
    const count = paintDifference(this.difference, this.picture, picture);
    this.difference.hidden = count < 0;
    get('target-title').textContent += `; the other's after draw ${draw}: ${
      count < 0 ? 'it has another size' : `${count.toLocaleString('en')} of ${
        (picture.width * picture.height).toLocaleString('en')} pixels differ`}`;
  }

  repaint() {
    if (!this.picture)
      return;
    paint(this.canvas, this.picture);
    const context = this.canvas.getContext('2d');
    if (!context || this.x < 0)
      return;
    context.strokeStyle = '#ff00ff';
    context.strokeRect(this.x - 1.5, this.y - 1.5, 4, 4);
  }

  /** The pixel under the pointer: the picture fills its box on one side.
   *  @param {MouseEvent} e */
  click(e) {
    const {canvas} = this;
    const scale = Math.min(canvas.clientWidth / canvas.width,
                           canvas.clientHeight / canvas.height);
    const left = (canvas.clientWidth - scale * canvas.width) / 2;
    const top = (canvas.clientHeight - scale * canvas.height) / 2;
    const x = Math.floor((e.offsetX - left) / scale);
    const y = Math.floor((e.offsetY - top) / scale);
    if (x >= 0 && y >= 0 && x < canvas.width && y < canvas.height)
      this.choosePixel(x, y);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const moves = /** @type {Object<string, number[]>} */ (
      {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
       ArrowDown: [0, 1]});
    const by = moves[e.key];
    if (!by)
      return;
    e.preventDefault();
    this.choosePixel(Math.max(0, this.x + by[0]), Math.max(0, this.y + by[1]));
  }

  /** @param {import('./place.js').Place} place
   *  @param {number} batch the last one that counts
   *  @param {number} otherBatch -1: none */
  async showPixel(place, batch, otherBatch) {
    this.x = place.x;
    this.y = place.y;
    this.repaint();
    const number = ++this.number;
    const count = await this.showHistory('history', place, 0, batch, number);
    get('history-title').textContent =
      `Pixel (${place.x}, ${place.y}): ${count} draws`;
    get('other-history').hidden = otherBatch < 0;
    if (otherBatch >= 0)
      await this.showHistory('other-history', place, 1, otherBatch, number);
  }

  /**
   * How many draws it has.
   * @param {string} box
   * @param {import('./place.js').Place} place
   * @param {number} side @param {number} batch @param {number} number
   */
  async showHistory(box, place, side, batch, number) {
    const answer = await ask('history', {
      r: side ? place.other : place.r, x: place.x, y: place.y,
      batches: `${Math.max(0, batch - BATCHES_BACK)}-${batch}`});
    if (number !== this.number)
      return 0;
    const found = answer.draws.flatMap(
      (/** @type {import('./api.js').PixelDraw} */ d) => [
        element('h3', 'event', `draw ${d.draw}, batch ${d.batch}`),
        ...d.events.map((e) => this.event(side, d.draw, e))]);
    get(box).replaceChildren(...found);
    return answer.draws.length;
  }

  /** @param {number} side @param {number} draw
   *  @param {import('./api.js').PixelEvent} event */
  event(side, draw, event) {
    const row = element(event.thread === null ? 'div' : 'button', 'event');
    row.dataset.kind = event.kind;
    row.append(`${event.kind} · primitive ${event.primitive}`);
    if (event.thread !== null) {
      const thread = event.thread;
      row.append(` · thread ${thread}`);
      row.dataset.thread = String(thread);
      row.dataset.draw = String(draw);
      row.addEventListener('click', () => this.chooseThread(
        side, draw, thread, event.step || 0, (event.registers || [])[0] || ''));
    }
    if (event.depth_test)
      row.append(` · depth ${event.depth_test}: ${event.depth}`);
    if (event.stencil_test)
      row.append(` · stencil ${event.stencil_test}: ${event.stencil}`);
    if (event.was && event.is && event.source)
      row.append(` · ${event.was.join(', ')}`, swatch(event.was), '→ ',
                 event.is.join(', '), swatch(event.is),
                 `from ${event.source.join(', ')}`);
    return row;
  }
}

/** @param {import('./api.js').Value[]} color */
function swatch(color) {
  const canvas = /** @type {HTMLCanvasElement} */ (
    element('canvas', 'swatch'));
  const whole = color.some((v) => Number(v) > 1) ? 1 : 255;
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = `rgb(${color.slice(0, 3).map(
      (v) => Math.round(Number(v) * whole) || 0).join(' ')})`;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return canvas;
}
