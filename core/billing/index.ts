export {
  type Allowance,
  type AllowanceLimits,
  type AllowanceDeps,
  type AllowanceStats,
  categoryOf,
  type Charge,
  type ChargeItem,
  type ChargeOrigin,
  isCharged,
  MeteredAllowance,
  noCharge,
} from './allowance.js';
export { createAllowance } from './create-allowance.js';
export { type DailyCallsRecord, dailyCallsRecords, dailyLimits, DailyLimits } from './daily-limits.js';
export {
  checkProduct,
  hasLicence,
  licenceNames,
  type Product,
  productFault,
  type Standing,
  type Tier,
  tiers,
} from './licence.js';
export { type PeriodLength } from './period.js';
export { type Left, rateLimitFields } from './rate-limit-fields.js';
export { type UsageReport } from './usage.js';
