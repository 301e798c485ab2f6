export * from './accounts/index.js';
export * from './availability.js';
export * from './guard.js';
