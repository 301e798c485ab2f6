export {
  MAX_REFRESHES,
  SessionService,
  isDesktop,
  type SessionServiceParts,
  type SessionSettings,
  type SessionWire,
} from './session-service.js';
