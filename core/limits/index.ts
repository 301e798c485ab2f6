export * from './concurrency.js';
export * from './allowance.js';
