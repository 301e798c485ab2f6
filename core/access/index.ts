export { type LoginRooms, openLogin } from './login-services.js';
export {
  type Availability,
  type AvailabilityParts,
  type AvailabilitySettings,
  AvailabilityTable,
  categoryOf,
  endpointKey,
  type KeyAvailability,
} from './availability.js';
export { type Credentials, Guard, type GuardLogin } from './guard.js';
export { SwitchBoard, type SwitchKind, switchKinds, type SwitchRecord } from './switches.js';
export { networkOf, Throttle, type ThrottleSettings } from './throttle.js';
