export { AvailabilityTable, categoryOf, endpointKey, operationDisabled } from './availability.js';
export { type Credentials, Guard, type RouteLogin } from './guard.js';
export { keyCategories } from './key-scope.js';
export { toolRoutes } from './role-rights.js';
export { SwitchBoard, type SwitchKind, switchKinds } from './switches.js';
