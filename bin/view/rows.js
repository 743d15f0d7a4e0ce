// SPDX-License-Identifier: MIT
// @ts-check
// A list of any length: only the rows that are seen are in the page.

// Browsers have no element higher than some millions of pixels.
const MAX_HEIGHT = 8e6;
const MARGIN = 10;

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 */
export function element(tag, className = '', text = '') {
  const e = document.createElement(tag);
  if (className)
    e.className = className;
  if (text)
    e.textContent = text;
  return e;
}

export class Rows {
  /**
   * @param {HTMLElement} box
   * @param {number} height of a row, in pixels
   * @param {(row: HTMLElement, i: number) => void} fill
   * @param {(i: number) => void} [choose] a row was clicked, or moved to
   * @param {(from: number, to: number) => void} [seen]
   */
  constructor(box, height, fill, choose, seen) {
    this.box = box;
    this.height = height;
    this.fill = fill;
    this.choose = choose;
    this.seen = seen;
    this.count = 0;
    this.chosen = -1;
    this.filler = element('div', 'filler');
    this.rows = element('div', 'rows');
    box.replaceChildren(this.filler, this.rows);
    /** @type {Map<number, HTMLElement>} rows that are in the page */
    this.shown = new Map();
    this.stale = false; // what stands in them
    box.addEventListener('scroll', () => this.drawSoon());
    new ResizeObserver(() => this.drawSoon()).observe(box);
    box.addEventListener('keydown', (e) => this.key(e));
    this.waiting = false;
  }

  /** @param {number} count */
  setCount(count) {
    this.count = count;
    this.filler.style.height = Math.min(count * this.height, MAX_HEIGHT) +
      'px';
    this.later();
  }

  /** Rows have other contents. */
  later() {
    this.stale = true;
    this.drawSoon();
  }

  drawSoon() {
    if (this.waiting)
      return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Rows from one pixel of the scroll bar to the next: 1 / height, unless
   *  there are too many for the page. */
  first() {
    const hidden = this.filler.offsetHeight - this.box.clientHeight;
    const rows = this.count - Math.floor(this.box.clientHeight / this.height);
    if (this.count * this.height <= MAX_HEIGHT || hidden <= 0)
      return Math.floor(this.box.scrollTop / this.height);
    return Math.round(this.box.scrollTop / hidden * rows);
  }

  draw() {
    const first = this.first();
    const from = Math.max(0, first - MARGIN);
    const fit = Math.ceil(this.box.clientHeight / this.height);
    const to = Math.min(this.count, first + fit + MARGIN);
    for (const [i, row] of this.shown) {
      if (i >= from && i < to)
        continue;
      row.remove();
      this.shown.delete(i);
    }
    let before = null;
    for (let i = to - 1; i >= from; i--) {
      let row = this.shown.get(i);
      if (!row)
        this.shown.set(i, row = this.make(i));
      else if (this.stale)
        this.refill(row, i);
      if (row.nextSibling !== before || !row.parentNode)
        this.rows.insertBefore(row, before);
      before = row;
    }
    this.stale = false;
    this.rows.style.transform = `translateY(${
      this.box.scrollTop - (this.box.scrollTop % this.height) -
      (first - from) * this.height}px)`;
    if (this.seen && to > from)
      this.seen(from, to);
  }

  /** @param {number} i */
  make(i) {
    const row = element('div', 'row');
    row.dataset.i = String(i);
    if (this.choose) {
      row.setAttribute('role', 'option');
      row.addEventListener('click', () => this.choose && this.choose(i));
    }
    this.refill(row, i);
    return row;
  }

  /** @param {HTMLElement} row @param {number} i */
  refill(row, i) {
    row.replaceChildren();
    if (this.choose)
      row.setAttribute('aria-selected', String(i === this.chosen));
    this.fill(row, i);
  }

  /** @param {number} i */
  show(i) {
    this.chosen = i;
    const first = this.first();
    const fit = Math.floor(this.box.clientHeight / this.height);
    if (i < first || i >= first + fit - 1) {
      const rows = this.count - fit;
      const hidden = this.filler.offsetHeight - this.box.clientHeight;
      const top = Math.max(0, i - Math.floor(fit / 2));
      this.box.scrollTop = this.count * this.height <= MAX_HEIGHT
        ? top * this.height : hidden * top / rows;
    }
    this.later();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const moves = /** @type {Object<string, number>} */ (
      {ArrowUp: -1, ArrowDown: 1, PageUp: -20, PageDown: 20});
    const by = moves[e.key];
    if (!by || !this.choose || !this.count)
      return;
    e.preventDefault();
    this.choose(Math.min(this.count - 1, Math.max(0, this.chosen + by)));
  }
}
