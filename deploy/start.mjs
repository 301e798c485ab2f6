// `npm start`: installs and builds when needed, then becomes the server. The npm script uses `exec`, so that there is
// no shell in between: a signal to npm reaches the server, which then stops gracefully. After a restart requested by an
// administrator the server runs as a child process; this one passes signals on and starts it again when requested.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import '../tools/ensure-built.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Exit code with which the server requests a restart (RESTART_EXIT_CODE in core). */
const AGAIN = 75;
let child;

const { runMain } = await import(new URL('../core/dist/index.js', import.meta.url).href);
await runMain(root, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  startAgain();
});

function startAgain() {
  // The fourth channel carries no data: it closes when this process exits, and then the server stops too.
  child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL('../core/dist/main.js', import.meta.url)), ...process.argv.slice(2)],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, QUIRE_SUPERVISED: '1' },
    },
  );
  child.once('exit', (code, signal) => {
    if (code === AGAIN) startAgain();
    else process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}
