export {
  type Availability,
  type AvailabilityDeps,
  type AvailabilitySettings,
  AvailabilityTable,
  categoryOf,
  endpointKey,
  type KeyAvailability,
  operationDisabled,
} from './availability.js';
export { type Credentials, Guard, type GuardLogin } from './guard.js';
export { SwitchBoard, type SwitchKind, switchKinds, type SwitchRecord } from './switches.js';
