export { createServer, type QuireServer, type ServerOptions } from './composition/index.js';
export { createTestServer, type TestServerOptions } from './composition/test-server.js';
export { runMain } from './composition/run-main.js';
export { loadSettings, printSettings, SettingsError, type Settings } from './settings/index.js';
