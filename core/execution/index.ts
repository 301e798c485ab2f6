export * from './protocol.js';
export * from './file-names.js';
export * from './scratch.js';
export * from './validate-params.js';
export * from './runner.js';
export * from './worker-pool.js';
export { inBackground } from './background.js';
export { workerTasksOf } from './plugin-tasks.js';
export { documentFile, readHead } from './operation-run.js';
