export { type Captures } from './audit-captures.js';
