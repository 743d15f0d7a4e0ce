// SPDX-License-Identifier: MIT
// @ts-check
// A program that still runs, and waits at the end of a frame.
import {ask, moveTo} from './api.js';

const POLL_MS = 200;

/** @param {string} id */
const get = (id) => /** @type {HTMLButtonElement} */ (
  document.getElementById(id));

export class Live {
  /** @param {() => Promise<void>} reload there is more to see */
  constructor(reload) {
    this.reload = reload;
    this.frame = 0;
    get('live-next').addEventListener('click', () => this.go(this.frame + 1));
    get('live-go').addEventListener('click', () => this.go(''));
    get('live-stop').addEventListener('click', () => this.go(0));
  }

  /** @param {number | ''} frame */
  async go(frame) {
    await moveTo(frame);
    await this.watch(frame !== '');
  }

  /** @param {boolean} waits for the end of a frame */
  async watch(waits = false) {
    let state = await ask('live');
    const was = this.frame;
    while (waits && !state.ended &&
           (state.frame === null || (was && state.frame === was))) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      state = await ask('live');
    }
    get('live').hidden = !state.live;
    const stands = state.frame !== null;
    get('live-frame').textContent = stands ? `waits after frame ${state.frame}`
      : state.ended ? 'has ended' : 'runs';
    get('live-next').disabled = get('live-go').disabled = !stands;
    get('live-stop').disabled = stands || state.ended;
    this.frame = stands ? state.frame : 0;
    if (waits)
      await this.reload();
  }
}
