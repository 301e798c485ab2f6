export { AvailabilityTable, categoryOf, endpointKey, operationDisabled } from './availability.js';
export { type Credentials, Guard, type MachineLogin, type RouteLogin } from './guard.js';
export { keyCategories } from './key-scope.js';
export { SwitchBoard, type SwitchKind, switchKinds } from './switches.js';
