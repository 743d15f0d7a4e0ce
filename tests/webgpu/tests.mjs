// SPDX-License-Identifier: MIT
// What comes before TensorFlow.js' tests in the bundle: operations, their
// derivatives, the back end, and where the tests shall run.
import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-webgpu/dist/index';
import {setTestEnvs} from '@tensorflow/tfjs-core/dist/jasmine_util';

setTestEnvs([{name: 'webgpu', backendName: 'webgpu', isDataSync: false}]);
