export {
  type Allowance,
  type AllowanceLimits,
  type AllowanceStats,
  type Charge,
  type ChargeItem,
  noCharge,
} from './allowance.js';
export { createAllowance } from './create-allowance.js';
export { type DailyCallsRecord, dailyCallsRecords, DailyLimits } from './daily-limits.js';
export { checkProduct, hasLicence, licenceNames, type Product, productFault, type Standing } from './licence.js';
export { rateLimitFields } from './rate-limit-fields.js';
