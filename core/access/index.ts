export * from './accounts/index.js';
export * from './availability.js';
export * from './guard.js';
export * from './secret.js';
export * from './throttle.js';
export * from './licence.js';
