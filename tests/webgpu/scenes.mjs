// SPDX-License-Identifier: MIT
// Scenes of three.js' WebGPU renderer, each written as FOLDER/NAME.ppm.
//
//   node scenes.mjs FOLDER
//
// Exit code 1 if a scene fails, or the device reports an error.
import {canvas, read, write} from './device.mjs';

Object.assign(globalThis, {
   self: globalThis,
   window: globalThis,
   requestAnimationFrame: f => setTimeout(f, 0),
   cancelAnimationFrame: clearTimeout,
});
const WIDTH = 200, HEIGHT = 150;
globalThis.document = {
   createElement: () => canvas(WIDTH, HEIGHT),
   createElementNS: () => canvas(WIDTH, HEIGHT),
};
const THREE = await import('three/webgpu');
const TSL = await import('three/tsl');

const target = canvas(WIDTH, HEIGHT);
const renderer = new THREE.WebGPURenderer({canvas: target, antialias: true});
renderer.setSize(WIDTH, HEIGHT, false);
await renderer.init();
const device = renderer.backend.device;
device.addEventListener('uncapturederror', event => {
   console.log(`error: ${event.error.message}`);
   process.exitCode = 1;
});

const camera = new THREE.PerspectiveCamera(50, WIDTH / HEIGHT, 0.1, 50);
camera.position.set(3, 2.5, 4);
camera.lookAt(0, 0.3, 0);

/** A scene with a light, and what is given. */
function lit(...objects) {
   const scene = new THREE.Scene();
   const light = new THREE.DirectionalLight(0xffffff, 3);
   scene.background = new THREE.Color(0x203040);
   light.position.set(3, 5, 2);
   scene.add(light, new THREE.HemisphereLight(0x8899ff, 0x443322, 1), ...objects);
   scene.light = light;
   return scene;
}

const hue = (h, s = 1) => new THREE.Color().setHSL(h, s, 0.5);

function mesh(geometry, material, x = 0, y = 0, z = 0) {
   const m = new THREE.Mesh(geometry, material);
   m.position.set(x, y, z);
   return m;
}

function floor(material, size, y) {
   const m = mesh(new THREE.PlaneGeometry(size, size), material, 0, y);
   m.rotation.x = -Math.PI / 2;
   return m;
}

function checkerboard() {
   const size = 64, data = new Uint8Array(size * size * 4);
   for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++)
         data.set([((x >> 3) + (y >> 3)) & 1 ? 220 : 40, x * 4, y * 4, 255],
                  (y * size + x) * 4);
   }
   return Object.assign(new THREE.DataTexture(data, size, size), {
      generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter,
      magFilter: THREE.LinearFilter, anisotropy: 8,
      colorSpace: THREE.SRGBColorSpace, wrapS: THREE.RepeatWrapping,
      wrapT: THREE.RepeatWrapping, needsUpdate: true,
   });
}

/** What passes over the picture make of a scene's pass. */
function processed(scene, output, targets) {
   const pipeline = new (THREE.RenderPipeline ?? THREE.PostProcessing)(renderer);
   const pass = TSL.pass(scene, camera);
   if (targets)
      pass.setMRT(TSL.mrt(targets));
   pipeline.outputNode = output(pass);
   pipeline.render();
}

const draw = (scene, from = camera) => renderer.render(scene, from);

const scenes = {
   materials() {
      const scene = lit();
      for (let i = 0; i < 15; i++) {
         const x = i % 5, y = Math.floor(i / 5);
         scene.add(mesh(new THREE.SphereGeometry(0.35, 24, 16),
                        new THREE.MeshPhysicalMaterial({
                           color: hue(x / 5, 0.8), metalness: y / 2,
                           roughness: x / 5, clearcoat: y / 2,
                        }), x - 2, y * 0.8 - 0.6));
      }
      draw(scene);
   },

   textures() {
      const box = mesh(new THREE.BoxGeometry(1.5, 1.5, 1.5),
                       new THREE.MeshStandardMaterial({map: checkerboard()}));
      box.rotation.y = 0.5;
      draw(lit(box, floor(new THREE.MeshLambertMaterial({map: checkerboard()}),
                          40, -0.8)));
   },

   shadows() {
      const knot = mesh(new THREE.TorusKnotGeometry(0.6, 0.2, 96, 12),
                        new THREE.MeshStandardMaterial({color: 0xff8844}), 0, 0.5);
      const below = floor(new THREE.MeshStandardMaterial(), 10, -0.6);
      const scene = lit(knot, below);
      renderer.shadowMap.enabled = true;
      scene.light.shadow.mapSize.set(512, 512);
      for (const o of [scene.light, knot])
         o.castShadow = true;
      for (const o of [knot, below])
         o.receiveShadow = true;
      draw(scene);
      renderer.shadowMap.enabled = false;
   },

   instances() {
      const count = 400, at = new THREE.Object3D();
      const many = new THREE.InstancedMesh(
         new THREE.IcosahedronGeometry(0.12, 0),
         new THREE.MeshPhongMaterial({flatShading: true}), count);
      for (let i = 0; i < count; i++) {
         at.position.set((i % 20 - 10) * 0.3, Math.sin(i * 0.7) * 0.5,
                         (Math.floor(i / 20) - 10) * 0.3);
         at.rotation.set(i, i * 2, 0);
         at.updateMatrix();
         many.setMatrixAt(i, at.matrix);
         many.setColorAt(i, hue(i / count));
      }
      draw(lit(many));
   },

   blending() {
      const kinds = [THREE.NormalBlending, THREE.AdditiveBlending,
                     THREE.MultiplyBlending];
      const scene = lit();
      for (let i = 0; i < 6; i++) {
         const m = mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({
            color: hue(i / 6), transparent: true, opacity: 0.4,
            side: THREE.DoubleSide, blending: kinds[i % 3],
            premultipliedAlpha: i % 3 === 2,
         }));
         m.rotation.y = i * 0.5;
         scene.add(m);
      }
      draw(scene);
   },

   points_and_lines() {
      const count = 2000, at = [], colours = [];
      for (let i = 0; i < count; i++) {
         const t = i * 0.05, r = 1 + i / count;
         at.push(Math.cos(t) * r, i / count * 2 - 1, Math.sin(t) * r);
         colours.push(i / count, 1 - i / count, 0.5);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(at, 3));
      geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
      draw(lit(new THREE.Points(geometry,
                                new THREE.PointsMaterial({vertexColors: true})),
               new THREE.LineSegments(
                  new THREE.WireframeGeometry(new THREE.SphereGeometry(1.2, 12, 8)),
                  new THREE.LineBasicMaterial({color: 0xffff00}))));
   },

   morphing() {
      const geometry = new THREE.BoxGeometry(1, 1, 1, 8, 8, 8);
      const from = geometry.attributes.position, to = [];
      for (let i = 0; i < from.count; i++)
         to.push(...new THREE.Vector3().fromBufferAttribute(from, i).normalize());
      geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(to, 3)];
      const m = mesh(geometry, new THREE.MeshNormalMaterial());
      m.morphTargetInfluences = [0.7];
      draw(lit(m));
   },

   skinning() {
      const geometry = new THREE.CylinderGeometry(0.3, 0.3, 3, 16, 20);
      const at = geometry.attributes.position, index = [], weight = [];
      for (let i = 0; i < at.count; i++) {
         const y = at.getY(i) + 1.5, bone = Math.min(2, Math.floor(y));
         index.push(bone, bone + 1, 0, 0);
         weight.push(1 - (y - bone), y - bone, 0, 0);
      }
      geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(index, 4));
      geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weight, 4));
      const bones = [0, 1, 2, 3].map(() => new THREE.Bone());
      bones.forEach((bone, i) => {
         bone.position.y = i ? 1 : -1.5;
         bones[i - 1]?.add(bone);
      });
      const skin = new THREE.SkinnedMesh(
         geometry, new THREE.MeshStandardMaterial({color: 0x66ccff}));
      skin.add(bones[0]);
      skin.bind(new THREE.Skeleton(bones));
      bones[1].rotation.z = 0.5;
      bones[2].rotation.x = 0.6;
      draw(lit(skin));
   },

   cube_map() {
      const around = new THREE.CubeRenderTarget(64, {
         generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter,
      });
      const scene = lit();
      for (let i = 0; i < 8; i++)
         scene.add(mesh(new THREE.BoxGeometry(0.4, 0.4, 0.4),
                        new THREE.MeshBasicMaterial({color: hue(i / 8)}),
                        Math.cos(i * 0.8) * 1.6, Math.sin(i) * 0.8,
                        Math.sin(i * 0.8) * 1.6));
      new THREE.CubeCamera(0.1, 20, around).update(renderer, scene);
      scene.add(mesh(new THREE.SphereGeometry(0.8, 32, 24),
                     new THREE.MeshStandardMaterial({
                        envMap: around.texture, metalness: 1, roughness: 0.1,
                     })));
      draw(scene);
   },

   // Particles that compute shaders move.
   async particles() {
      const {Fn, instanceIndex, instancedArray, float, vec3, hash} = TSL;
      const count = 4096;
      const at = instancedArray(count, 'vec3'), speed = instancedArray(count, 'vec3');
      const start = Fn(() => {
         const p = at.element(instanceIndex), v = speed.element(instanceIndex);
         p.x = hash(instanceIndex).mul(2).sub(1);
         p.y = hash(instanceIndex.add(7)).mul(2).sub(1);
         p.z = hash(instanceIndex.add(13)).mul(2).sub(1);
         v.assign(vec3(p.z, float(0.2), p.x.negate()));
      })().compute(count);
      const step = Fn(() => {
         const p = at.element(instanceIndex), v = speed.element(instanceIndex);
         v.addAssign(p.mul(-0.05));
         p.addAssign(v.mul(0.05));
      })().compute(count);
      await renderer.computeAsync(start);
      for (let i = 0; i < 20; i++)
         await renderer.computeAsync(step);
      const material = new THREE.SpriteNodeMaterial();
      material.positionNode = at.toAttribute();
      material.colorNode = at.toAttribute().mul(0.5).add(0.5);
      material.scaleNode = float(0.03);
      const sprites = new THREE.Sprite(material);
      sprites.count = count;
      sprites.frustumCulled = false;
      draw(lit(sprites));
   },

   // A loop with a break in a fragment shader.
   ray_march() {
      const {Fn, Loop, If, Break, abs, float, length, max, mix, normalize, sin,
             uv, vec3} = TSL;
      const material = new THREE.MeshBasicNodeMaterial();
      material.colorNode = Fn(() => {
         const ray = normalize(vec3(uv().sub(0.5).mul(2), float(-1.5)));
         const t = float(0).toVar(), hit = float(0).toVar();
         Loop(64, () => {
            const p = vec3(0, 0, 3).add(ray.mul(t));
            const bumps = sin(p.x.mul(9)).mul(sin(p.y.mul(9))).mul(sin(p.z.mul(9)));
            const d = length(max(abs(p).sub(0.8), 0)).sub(0.15).add(bumps.mul(0.05));
            If(d.lessThan(0.002), () => {
               hit.assign(1);
               Break();
            });
            t.addAssign(d.mul(0.7));
         });
         return mix(vec3(0.1, 0.1, 0.2),
                    vec3(1, 0.6, 0.2).mul(float(1).sub(t.sub(2).mul(0.6))), hit);
      })();
      const front = new THREE.PerspectiveCamera(50, WIDTH / HEIGHT, 0.1, 50);
      front.position.z = 3;
      draw(lit(mesh(new THREE.PlaneGeometry(4, 3), material)), front);
   },

   async bloom() {
      const {bloom} = await import('three/examples/jsm/tsl/display/BloomNode.js');
      processed(lit(mesh(new THREE.TorusKnotGeometry(0.7, 0.25, 96, 12),
                         new THREE.MeshStandardMaterial({
                            color: 0xff4488, emissive: 0x331100,
                         }))),
                pass => pass.add(bloom(pass, 0.8)));
   },

   many_targets() {
      const {mix, normalView, output, screenUV, step} = TSL;
      processed(lit(mesh(new THREE.SphereGeometry(1, 32, 24),
                         new THREE.MeshStandardMaterial({color: 0x44ff88}))),
                pass => mix(pass.getTextureNode('output'),
                            pass.getTextureNode('normal'), step(0.5, screenUV.x)),
                {output, normal: normalView});
   },

   async occlusion() {
      const {ao} = await import('three/examples/jsm/tsl/display/GTAONode.js');
      const {normalView, output, vec3, vec4} = TSL;
      const scene = lit();
      for (let i = 0; i < 9; i++)
         scene.add(mesh(new THREE.BoxGeometry(0.9, 0.5 + i * 7 % 5 * 0.3, 0.9),
                        new THREE.MeshStandardMaterial({color: 0xcccccc}),
                        i % 3 - 1, 0, Math.floor(i / 3) - 1));
      processed(scene, pass => {
         const shade = ao(pass.getTextureNode('depth'),
                          pass.getTextureNode('normal'), camera);
         return pass.getTextureNode('output').mul(
            vec4(vec3(shade.getTextureNode().r), 1));
      }, {output, normal: normalView});
   },
};

for (const [name, make] of Object.entries(scenes)) {
   try {
      await make();
      write(`${process.argv[2]}/${name}.ppm`, WIDTH, HEIGHT,
            await read(device, target.texture));
      console.log(`drawn ${name}`);
   } catch (error) {
      console.log(`error: ${name}: ${error.stack}`);
      process.exitCode = 1;
   }
}
// Dawn's threads would keep the process.
process.exit();
