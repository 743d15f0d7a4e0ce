// SPDX-License-Identifier: MIT
// @ts-check
// Registers as numbers, and pictures as pixels.

/** @type {Object<string, {size: number,
 *   read: (d: DataView, at: number) => string}>} */
const TYPES = {
  f: {size: 4, read: (d, at) => short(d.getFloat32(at, true), 8)},
  d: {size: 4, read: (d, at) => String(d.getInt32(at, true))},
  ud: {size: 4, read: (d, at) => String(d.getUint32(at, true))},
  x: {size: 4,
      read: (d, at) => d.getUint32(at, true).toString(16).padStart(8, '0')},
  df: {size: 8, read: (d, at) => short(d.getFloat64(at, true), 16)},
  hf: {size: 2, read: (d, at) => short(half(d.getUint16(at, true)), 5)},
};

/** @param {number} v @param {number} digits */
function short(v, digits) {
  return String(Number(v.toPrecision(digits)));
}

/** @param {number} bits */
function half(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31)
    return fraction ? NaN : sign * Infinity;
  if (!exponent)
    return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * The lanes of a register.
 * @param {number[]} dwords
 * @param {string} type
 */
export function lanes(dwords, type) {
  const {size, read} = TYPES[type] || TYPES.f;
  const d = new DataView(new Uint32Array(dwords).buffer);
  const found = [];
  for (let at = 0; at < d.byteLength; at += size)
    found.push(read(d, at));
  return found;
}

/** @param {number} reg as in trace_format.h */
export function registerName(reg) {
  if (reg < 128)
    return `r${reg}`;
  if (reg < 136)
    return `acc${(reg - 128) >> 1}.${reg % 2 * 4}`;
  return reg === 136 ? 'a0' : 'f0,f1';
}

/**
 * Four for each pixel.
 * @param {import('./api.js').Picture} picture
 */
export function bytesOf(picture) {
  return Uint8ClampedArray.from(atob(picture.rgba), (c) => c.charCodeAt(0));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import('./api.js').Picture} picture
 */
export function paint(canvas, picture) {
  const bytes = bytesOf(picture);
  // Alpha is no transparency of a window.
  for (let i = 3; i < bytes.length; i += 4)
    bytes[i] = 255;
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext('2d');
  if (context)
    context.putImageData(new ImageData(bytes, picture.width, picture.height),
                         0, 0);
}
