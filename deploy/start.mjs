// `npm start`: installs and builds when needed, then becomes the server. The npm script uses `exec`, so that there is
// no shell in between: a signal to npm reaches the server, which then stops gracefully.
//
// The environment is cleaned of secrets before anything else is started. An older Node only hides its own: the Node 24
// that it starts gets them and does the same.
import { hideSecrets, takeSecrets } from '../core/settings/secret-environment.mjs';

const remaining = hideSecrets();
await import('../tools/node24.mjs');
const { secrets } = takeSecrets();
await import('../tools/ensure-built.mjs');

const { serve } = await import(new URL('../config/serve.mjs', import.meta.url).href);
await serve({ secrets, remaining });
