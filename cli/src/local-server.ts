import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const lock = join(folder, 'starting');
  const until = Date.now() + START_MS;
  // Two servers that start at the same time would take the socket away from each other.
  while (!takeLock(lock)) {
    if (await answers(socket)) return socket;
    if (Date.now() > until) throw new Failure(EXIT.away, 'Another call does not get the local server started.');
    await sleep(LOOK_MS, undefined, { signal });
  }
  try {
    if (!(await answers(socket))) await startServer(folder, socket, signal);
    return socket;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function startServer(folder: string, socket: string, signal: AbortSignal): Promise<void> {
  const log = join(folder, 'server.log');
  const output = openSync(log, 'w', 0o600);
  const program = fileURLToPath(new URL('./local-server-entry.js', import.meta.url));
  const child = spawn(process.execPath, ['--max-semi-space-size=2', program], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: localEnvironment(folder, socket),
  });
  closeSync(output);
  let ended = false;
  for (const event of ['exit', 'error']) child.once(event, () => (ended = true));
  child.unref();
  for (const until = Date.now() + START_MS; Date.now() < until && !ended;) {
    if (await answers(socket)) return;
    await sleep(LOOK_MS, undefined, { signal });
  }
  const last = readFileSync(log, 'utf8').trim().split('\n').slice(-LOG_LINES).join('\n');
  throw new Failure(EXIT.away, `The local server did not start. Its last lines:\n${last}`, `The whole log: ${log}`);
}

/** Creates a file with the id of this process. False while that of another process is there which still runs. */
function takeLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!runs(Number(textOf(path)))) rmSync(path, { force: true });
    return false;
  }
}

/** Empty for a file that is gone by now. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A lock that is just being written has no id yet. */
function runs(pid: number): boolean {
  if (pid === 0) return true;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
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

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}
