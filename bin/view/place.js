// SPDX-License-Identifier: MIT
// @ts-check
// Where the reader is. The address has it, so that a link leads there.

/** @typedef {{r: number, other: number, draw: number, x: number, y: number,
 *   from: number, thread: number, step: number, reg: string,
 *   type: string}} Place
 *  -1: none. `from` is the draw that the thread is of. */

/** @type {Place} */
const NOWHERE = {r: 0, other: -1, draw: -1, x: -1, y: -1, from: -1,
                 thread: -1, step: 0, reg: '', type: 'f'};

/** @returns {Place} */
export function read() {
  /** @type {any} */
  const place = {...NOWHERE};
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (key === 'reg' || key === 'type')
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
