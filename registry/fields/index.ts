export * from './page-numbers.js';
export * from './page-formula.js';
export * from './simple.js';
export * from './comparator.js';
export * from './size.js';
export { maxDpi } from './max-dpi.js';
export * from './map.js';
export * from './json.js';
export * from './languages.js';
