// SPDX-License-Identifier: MIT
// @ts-check
// What a draw is drawn with: the packets of its batch before it, the last of
// each kind.
import {ask} from './api.js';
import {element} from './rows.js';

/**
 * @param {number} r
 * @param {import('./api.js').Draw} draw
 */
export async function showState(r, draw) {
  const answer = await ask('state', {r, batches: draw.batch});
  /** @type {Map<string, {name: string, address: string, fields: string}>} */
  const last = new Map();
  for (const c of answer.commands) {
    if (c.before > draw.draw)
      break;
    last.delete(c.name);
    last.set(c.name, c);
  }
  const rows = [...last.values()].map((c) => {
    const details = element('details');
    const summary = element('summary', 'event', `${c.name} at ${c.address}`);
    details.append(summary, element('pre', 'state', c.fields));
    return details;
  });
  const title = document.getElementById('history-title');
  const box = document.getElementById('history');
  if (title && box) {
    title.textContent = `State of draw ${draw.draw}`;
    box.replaceChildren(...rows);
  }
}
