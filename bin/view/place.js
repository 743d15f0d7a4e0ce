// SPDX-License-Identifier: MIT
// @ts-check
// Where the reader is. The address has it, so that a link leads there.

/** @typedef {{r: number, other: number, draw: number, x: number, y: number,
 *   from: number, thread: number, step: number, reg: string,
 *   from2: number, thread2: number, step2: number, reg2: string,
 *   type: string}} Place
 *  -1: none. `from` is the draw that the thread is of; those with a 2 are of
 *  the other recording. */
/** @typedef {{r: number, from: number, thread: number, step: number,
 *   reg: string, type: string}} ThreadPlace */

/** @type {Place} */
const NOWHERE = {r: 0, other: -1, draw: -1, x: -1, y: -1, from: -1,
                 thread: -1, step: 0, reg: '', from2: -1, thread2: -1,
                 step2: 0, reg2: '', type: 'f'};

/**
 * Of one side: 0, or 1, the other recording.
 * @param {Place} p @param {number} side
 * @returns {ThreadPlace}
 */
export function threadPlace(p, side) {
  return side ? {r: p.other, from: p.from2, thread: p.thread2, step: p.step2,
                 reg: p.reg2, type: p.type} : p;
}

/**
 * What changes in a thread's place, as that of a side.
 * @param {Partial<ThreadPlace>} change @param {number} side
 * @returns {Partial<Place>}
 */
export function onSide(change, side) {
  return side ? Object.fromEntries(Object.entries(change).map(
    ([key, value]) => [key + '2', value])) : change;
}

/** @returns {Place} */
export function read() {
  /** @type {any} */
  const place = {...NOWHERE};
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (key === 'reg' || key === 'reg2' || key === 'type')
      place[key] = value;
    else if (key in NOWHERE && /^-?\d{1,9}$/.test(value))
      place[key] = Number(value);
  }
  return place;
}

/** @param {Place} place */
export function write(place) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(place)) {
    if (value !== /** @type {any} */ (NOWHERE)[key])
      words.set(key, String(value));
  }
  history.replaceState(null, '', '#' + words);
}
