// SPDX-License-Identifier: MIT
// @ts-check
// Questions to the server; bin/view/schema.json says what answers look like.

/** @typedef {{draw: number, batch: number, dispatch: boolean,
 *   topology: number, indexed: boolean, vertices: number,
 *   instances: number, recorded: number, threads?: number,
 *   instructions?: number, sends?: number, cycles?: number}} Draw */
/** @typedef {{generation: string, recording: boolean, draws: Draw[],
 *   batches: {batch: number, engine: string}[], reports: Mark[],
 *   marks: Mark[]}} List */
/** @typedef {{batches: number, draws: number, text: string}} Mark
 *  after so many of them */
/** @typedef {{first: number, last: number, threads: number,
 *   instructions: number, cycles: number}} Costs of draws */
/** @typedef {{draws?: Costs, others?: Costs}} Group */
/** @typedef {{group: number, target: number, pixels: number, of: number,
 *   x: number, y: number}} Difference */
/** @typedef {{draw: number, target: number, width: number, height: number,
 *   target_width: number, target_height: number, address: string,
 *   rgba: string}} Picture */
/** @typedef {number | string} Value a number, or "inf", "nan" */
/** @typedef {{kind: string, primitive: number, thread: number | null,
 *   sample: number, address: string, samples?: number, target?: number,
 *   depth_test?: string, stencil_test?: string, late?: boolean,
 *   depth?: Value[], stencil?: number[], source?: Value[], was?: Value[],
 *   is?: Value[], step?: number, registers?: string[]}} PixelEvent */
/** @typedef {{draw: number, batch: number, events: PixelEvent[]}} PixelDraw */
/** @typedef {{draw: number, thread: number, stage: string,
 *   program: string, kernel: string, simd: number, channels: number,
 *   steps: number, cycles: number, lanes_per_item: number,
 *   items: number[][]}} Thread */
/** @typedef {{n: number, offset: number, active: number, cycle: number,
 *   cost: number, issue: number, text: string, file?: string, line?: number,
 *   writes: Object<string, number[]>}} Step */

/**
 * @param {string} name
 * @param {Object<string, string | number>} parameters
 * @returns {Promise<any>}
 */
export async function ask(name, parameters = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    query.set(key, String(value));
  const answer = await fetch(`/api/${name}?${query}`);
  const body = await answer.json();
  if (!answer.ok)
    throw new Error(body.error || answer.statusText);
  return body;
}

/**
 * The program that is recorded meanwhile: on to the end of a frame; '' on and
 * on.
 * @param {number | ''} frame
 */
export async function moveTo(frame) {
  const answer = await fetch(`/api/live?frame=${frame}`, {method: 'POST'});
  if (!answer.ok)
    throw new Error((await answer.json()).error || answer.statusText);
}
