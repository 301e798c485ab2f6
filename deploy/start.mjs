// `npm start`: installs and builds when needed, then becomes the server. The npm script uses `exec`, so that there is
// no shell in between: a signal to npm reaches the server, which then stops gracefully. After a restart requested by an
// administrator the server runs as a child process; this one passes signals on and starts it again when requested.
//
// The environment is cleaned of secrets before anything else is started. An older Node only hides its own: the Node 24
// that it starts gets them and does the same.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hideSecrets, takeSecrets } from '../core/settings/secret-environment.mjs';

const remaining = hideSecrets();
await import('../tools/node24.mjs');
const { secrets } = takeSecrets();
await import('../tools/ensure-built.mjs');

const root = fileURLToPath(new URL('..', import.meta.url));
/** Exit code with which the server requests a restart (RESTART_EXIT_CODE in core). */
const AGAIN = 75;
let child;

const { runMain } = await import(new URL('../core/dist/index.js', import.meta.url).href);
await runMain(root, {
  given: { secrets, remaining },
  again: () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    startAgain();
  },
});

function startAgain() {
  // The fourth channel carries no data: it closes when this process exits, and then the server stops too.
  child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL('../core/dist/main.js', import.meta.url)), ...process.argv.slice(2)],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...secrets, QUIRE_SUPERVISED: '1' },
    },
  );
  child.once('exit', (code, signal) => {
    if (code === AGAIN) startAgain();
    else process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}
