export * from './availability.js';
export * from './guard.js';
