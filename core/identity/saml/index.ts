export { onward } from './deliver.js';
export { logoutHintOf, SamlProvider, type LogoutHint } from './saml-provider.js';
export { type IncomingLogout } from './read-logout.js';
export { samlSettingsOf } from './saml-settings.js';
export { UsedMessages } from './used-messages.js';
