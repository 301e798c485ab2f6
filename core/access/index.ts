export { AvailabilityTable, categoryOf, endpointKey, operationDisabled } from './availability.js';
export { type Credentials, Guard } from './guard.js';
export { keyCategories } from './key-scope.js';
export { SwitchBoard, type SwitchKind, switchKinds } from './switches.js';
