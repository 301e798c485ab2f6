export {
  SessionService,
  isDesktop,
  type SessionRecord,
  type SessionSettings,
  type SessionWire,
} from './session-service.js';
