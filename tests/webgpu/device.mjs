// SPDX-License-Identifier: MIT
// WebGPU in Node.js by Dawn's Vulkan back end, and what programs for browsers
// look for in a window: a canvas that is a texture, and nothing else.
import fs from 'node:fs';
import {create, globals} from 'webgpu';

Object.assign(globalThis, globals);
export const gpu = create(['backend=vulkan']);
gpu.getPreferredCanvasFormat ??= () => 'bgra8unorm';
Object.defineProperty(globalThis, 'navigator', {
   value: {gpu, userAgent: 'node'}, configurable: true, writable: true,
});

/** A canvas of this size in pixels; .texture is what was drawn to last. */
export function canvas(width, height) {
   let conf = null;
   const element = {
      width, height, style: {}, texture: null,
      addEventListener() {}, removeEventListener() {}, setAttribute() {},
      getContext: kind => kind === 'webgpu' ? context : null,
   };
   const context = {
      canvas: element,
      configure(c) {
         conf = c;
         element.texture = null;
      },
      unconfigure() {},
      getConfiguration: () => conf,
      getCurrentTexture() {
         element.texture ??= conf.device.createTexture({
            size: [element.width, element.height],
            format: conf.format,
            usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
         });
         return element.texture;
      },
   };
   return element;
}

/** The bytes of a texture of four bytes a pixel as red, green, blue, lines
 * from the top, without gaps. */
export async function read(device, texture) {
   const {width, height} = texture;
   const pitch = Math.ceil(width * 4 / 256) * 256;
   const buffer = device.createBuffer({
      size: pitch * height,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
   });
   const encoder = device.createCommandEncoder();
   encoder.copyTextureToBuffer({texture}, {buffer, bytesPerRow: pitch},
                               [width, height]);
   device.queue.submit([encoder.finish()]);
   await buffer.mapAsync(GPUMapMode.READ);
   const from = new Uint8Array(buffer.getMappedRange());
   const order = texture.format.startsWith('bgra') ? [2, 1, 0] : [0, 1, 2];
   const rgb = new Uint8Array(width * height * 3);
   for (let y = 0, k = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
         for (const c of order)
            rgb[k++] = from[y * pitch + x * 4 + c];
      }
   }
   buffer.destroy();
   return rgb;
}

/** Writes a picture as PPM, which needs no library. */
export function write(path, width, height, rgb) {
   fs.writeFileSync(path, Buffer.concat([
      Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]));
}
