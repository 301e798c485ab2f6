export { SessionService, isDesktop, type SessionSettings, type SessionWire } from './session-service.js';
