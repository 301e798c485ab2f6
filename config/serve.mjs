import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runMain, takeSecrets } from '@quire/core';

/** Exit code with which the server requests a restart (RESTART_EXIT_CODE in core). */
const AGAIN = 75;

/**
 * Runs the server until a signal arrives; `--settings <file>` of the command line names the operator's settings file.
 * When an administrator requests a restart, the server runs as a child process from then on: this process passes
 * signals on and starts it again when requested.
 *
 * `given`: the secrets, if the caller has already taken them out of the environment.
 *
 * @param {ReturnType<typeof takeSecrets>} [given]
 */
export async function serve(given = takeSecrets()) {
  /** @type {import('node:child_process').ChildProcess} */
  let child;
  const startAgain = () => {
    child = startChild(given.secrets, startAgain);
  };
  const again = () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    startAgain();
  };
  await runMain(fileURLToPath(new URL('.', import.meta.url)), {
    settingsFile: fileURLToPath(new URL('settings.yml', import.meta.url)),
    given,
    // A supervisor (systemd, a container) starts the server again itself when it exits with this code.
    ...(process.env.QUIRE_SUPERVISED === '1' ? {} : { again }),
  });
}

function startChild(secrets, again) {
  // The fourth channel carries no data: it closes when this process exits, and then the server stops too.
  const child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL('quire-server.mjs', import.meta.url)), ...process.argv.slice(2)],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...secrets, QUIRE_SUPERVISED: '1' },
    },
  );
  child.once('exit', (code, signal) => {
    if (code === AGAIN) again();
    else process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
  return child;
}
