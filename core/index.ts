export { createServer, type QuireServer, type ServerOptions } from './app/index.js';
export { createTestServer, type TestServerOptions } from './app/test-server.js';
export { runMain } from './app/run-main.js';
export { loadSettings, printSettings, SettingsError, takeSecrets, type Settings } from './settings/index.js';
