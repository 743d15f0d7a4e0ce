// SPDX-License-Identifier: MIT
// @ts-check
// A program that still runs, and waits at the end of a frame.
import {ask, moveTo} from './api.js';

const POLL_MS = 200;

/** @param {string} id */
const get = (id) => /** @type {HTMLButtonElement} */ (
  document.getElementById(id));

/** @typedef {{live: boolean, frame: number | null, ended: boolean}} State
 *  frame: where it waits */

export class Live {
  /** @param {(follows: boolean) => Promise<void>} reload there is more to see;
   *  follows: it is what was asked for */
  constructor(reload) {
    this.reload = reload;
    this.frame = 0;
    this.follows = false;
    get('live-next').addEventListener('click', () => this.go(this.frame + 1));
    get('live-go').addEventListener('click', () => this.go(''));
    get('live-stop').addEventListener('click', () => this.go(0));
  }

  /** @param {number | ''} frame */
  async go(frame) {
    this.follows = frame !== '';
    await moveTo(frame);
  }

  /** Shows where it is.
   *  @returns {Promise<State>} */
  async look() {
    const state = await ask('live');
    get('live').hidden = !state.live;
    const stands = state.frame !== null;
    get('live-frame').textContent = stands ? `waits after frame ${state.frame}`
      : state.ended ? 'has ended' : 'runs';
    get('live-next').disabled = get('live-go').disabled = !stands;
    get('live-stop').disabled = stands || state.ended;
    this.frame = stands ? state.frame : 0;
    return state;
  }

  /** Shows it until it has ended.
   *  @param {State} was where it was last */
  async watch(was) {
    while (!was.ended) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      const state = await this.look();
      if (state.ended || (state.frame !== null && state.frame !== was.frame))
        void this.reload(this.follows);
      was = state;
    }
  }
}
