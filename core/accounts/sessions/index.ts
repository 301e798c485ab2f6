export {
  MAX_REFRESHES,
  SessionService,
  isDesktop,
  type SessionServiceDeps,
  type SessionSettings,
  type SessionWire,
} from './session-service.js';
