export * from './concurrency.js';
export * from './allowance.js';
export * from './create-allowance.js';
export * from './daily-limits.js';
export * from './rate-limit-fields.js';
export type { UsageReport } from './usage.js';
export type { PeriodLength } from './period.js';
