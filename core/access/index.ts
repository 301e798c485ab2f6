export * from './accounts/index.js';
export * from './availability.js';
export * from './guard.js';
export * from './keys/index.js';
export * from './licence.js';
export * from './secret.js';
export * from './sessions/index.js';
export * from './throttle.js';
export { switchKinds, SwitchBoard, type SwitchKind, type SwitchRecord } from './switches.js';
