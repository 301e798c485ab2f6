export { onward } from './deliver.js';
export { logoutHintOf, type LogoutHint } from './logout-hint.js';
export { type IncomingLogout } from './read-logout.js';
export { SamlProvider } from './saml-provider.js';
export { samlSettingsOf, subjectOfAttribute } from './saml-settings.js';
export { UsedMessages } from './used-messages.js';
