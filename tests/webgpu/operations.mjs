// SPDX-License-Identifier: MIT
// TensorFlow.js' own tests of its operations on its WebGPU back end. Prints
// 'pass NAME' or 'fail NAME | MESSAGE' for each.
//
//   node operations.mjs BUNDLE PART PARTS
//
// BUNDLE is what webgpu.py makes of the tests. A part is chosen by a hash of
// the test's name.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import './device.mjs';

const [bundle, part, parts] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const jasmineRequire = require('jasmine-core/lib/jasmine-core/jasmine.js');
const jasmine = globalThis.jasmine = jasmineRequire.core(jasmineRequire);
const env = jasmine.getEnv({suppressLoadErrors: true});
Object.assign(globalThis, jasmineRequire.interface(jasmine, env));
// A simulated GPU under a loaded machine.
jasmine.DEFAULT_TIMEOUT_INTERVAL = 300000;
await import(pathToFileURL(bundle));

function hash(name) {
   let h = 5381;
   for (const c of name)
      h = (h * 33 ^ c.charCodeAt(0)) >>> 0;
   return h;
}

env.configure({
   random: false,
   specFilter: spec => hash(spec.getFullName()) % +parts === +part,
});
env.addReporter({
   specDone(result) {
      if (result.status === 'passed') {
         console.log(`pass ${result.fullName}`);
      } else if (result.status === 'failed') {
         const message = result.failedExpectations[0]?.message ?? '';
         console.log(`fail ${result.fullName} | ` +
                     message.slice(0, 160).replace(/\s+/g, ' '));
      }
   },
   // Dawn's threads would keep the process.
   jasmineDone: () => process.exit(0),
});
env.execute();
