export { onward } from './deliver.js';
export { logoutHintOf, type LogoutHint } from './logout-hint.js';
export type { IncomingLogout } from './read-logout.js';
export { SamlProvider } from './saml-provider.js';
export type { ResponseFacts } from './describe-response.js';
export type { SamlExchange } from './saml-exchange.js';
export { samlSettingsOf, subjectOfAttribute, writtenSamlSettings, type SamlSettings } from './saml-settings.js';
export { UsedMessages } from './used-messages.js';
