export * from './table.js';
export * from './classes.js';
