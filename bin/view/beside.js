// SPDX-License-Identifier: MIT
// @ts-check
// Another recording beside this one: which draws belong together, and pixels
// that differ.
import {ask} from './api.js';
import {bytesOf} from './values.js';

// Blending and conversion round: by so much a byte may be off.
const ROUNDING = 1;

export class Beside {
  constructor() {
    /** @type {import('./api.js').Group[]} */
    this.groups = [];
    /** @type {Map<number, import('./api.js').Group>} by draw */
    this.ofDraw = new Map();
  }

  /** @param {number} r @param {number} other -1: none */
  async load(r, other) {
    this.groups = other < 0 ? [] : (await ask('align', {r, other})).groups;
    this.ofDraw.clear();
    for (const g of this.groups) {
      for (let i = g.draws ? g.draws.first : 0; g.draws && i <= g.draws.last;
           i++)
        this.ofDraw.set(i, g);
    }
  }

  /** The last of the other's draws that belong to this one; -1: none does.
   *  @param {number} draw */
  otherOf(draw) {
    const g = this.ofDraw.get(draw);
    return g && g.others ? g.others.last : -1;
  }

  /** What stands in the list of draws.
   *  @param {number} draw */
  text(draw) {
    const g = this.ofDraw.get(draw);
    if (!g || !g.draws)
      return '';
    if (!g.others)
      return 'other: none';
    const {first, last, instructions} = g.others;
    return `other: ${first === last ? first : `${first}–${last}`}\n${
      g.draws.instructions.toLocaleString('en')} | ${
      instructions.toLocaleString('en')} instructions`;
  }

  /**
   * The first draw after which a target differs, with its first pixel; null:
   * none does.
   * @param {number} r @param {number} other
   */
  async first(r, other) {
    const answer = await ask('compare', {r, other});
    const d = /** @type {import('./api.js').Difference | undefined} */ (
      answer.difference);
    return d ? {...d, draw: answer.groups[d.group].draws.last} : null;
  }
}

/**
 * Paints where two pictures of one size differ; how many pixels do, -1: they
 * are of two sizes.
 * @param {HTMLCanvasElement} canvas
 * @param {import('./api.js').Picture} a
 * @param {import('./api.js').Picture} b
 */
export function paintDifference(canvas, a, b) {
  if (a.width !== b.width || a.height !== b.height)
    return -1;
  const p = bytesOf(a), q = bytesOf(b);
  let count = 0;
  for (let i = 0; i < p.length; i += 4) {
    let most = 0;
    for (let k = 0; k < 4; k++)
      most = Math.max(most, Math.abs(p[i + k] - q[i + k]));
    const differs = most > ROUNDING;
    count += Number(differs);
    p.fill(differs ? Math.max(96, most) : 0, i, i + 3);
    p[i + 3] = 255;
  }
  canvas.width = a.width;
  canvas.height = a.height;
  const context = canvas.getContext('2d');
  if (context)
    context.putImageData(new ImageData(p, a.width, a.height), 0, 0);
  return count;
}
