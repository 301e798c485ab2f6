import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure } from './failure.js';
import { localFolder, localSocket, privateFolder } from './folders.js';

const START_MS = 60_000;
const LOOK_MS = 40;
const LOG_LINES = 15;

/** Variables that the local server needs. Others could be settings of another server (SERVER_PORT, SECURITY_…). */
const PASSED_ON =
  /^(path|home|user|username|userprofile|lang|lc_\w+|tz|tmpdir|temp|tmp|appdata|localappdata|systemroot|comspec|pathext|windir|programfiles.*|node_extra_ca_certs|https?_proxy|no_proxy|ld_library_path|fontconfig_\w+|xdg_\w+|quire_cache|quire_local_idle_seconds)$/i;

/** Returns the socket of the local server of this user and version, and starts the server if it does not run. */
export async function localServer(signal: AbortSignal, starting: () => void): Promise<string> {
  const socket = localSocket();
  if (await answers(socket)) return socket;
  starting();
  const folder = localFolder();
  const log = join(folder, 'server.log');
  const output = openSync(log, 'w', 0o600);
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=2', fileURLToPath(new URL('./local-server-entry.js', import.meta.url))],
    {
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
      env: localEnvironment(folder, socket),
    },
  );
  closeSync(output);
  let ended = false;
  for (const event of ['exit', 'error']) child.once(event, () => (ended = true));
  child.unref();
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(LOOK_MS, undefined, { signal })) {
    if (await answers(socket)) return socket;
    // Another call may have started one at the same time: then that one answers, a moment later.
    if (ended && !(await answersSoon(socket))) break;
  }
  const last = readFileSync(log, 'utf8').trim().split('\n').slice(-LOG_LINES).join('\n');
  throw new Failure(EXIT.away, `The local server did not start. Its last lines:\n${last}`, `The whole log: ${log}`);
}

/** Whether the local server runs. */
export function localServerRuns(): Promise<boolean> {
  return answers(localSocket());
}

function localEnvironment(folder: string, socket: string): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return {
    ...Object.fromEntries(passed),
    QUIRE_BASE_PATH: privateFolder(join(folder, 'data')),
    SERVER_SOCKET: socket,
    CONSOLE_WELCOME: 'false',
  };
}

async function answersSoon(socket: string): Promise<boolean> {
  for (let look = 0; look < 50; look += 1) {
    if (await answers(socket)) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}
