export {
  type Decimal,
  decimal,
  decimalPlaces,
  formatDecimal,
  isDecimal,
  MAX_DIGITS,
  parseDecimal,
  percentOf,
  roundHalfUp,
  roundXPath,
  sum,
  zero,
} from './decimal.js';
