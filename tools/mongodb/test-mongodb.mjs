// A MongoDB server for tests. `MONGODB_TEST_URL` points to a running one. Otherwise the first available program of
// these is started on a free port with its data in a temporary folder: mongodb-memory-server (not a dependency: it
// downloads a server program), mongod, mongo-java-server (tools/install-mongodb.sh).
import { spawn } from 'node:child_process';
import { accessSync, constants, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds until the server must listen; long, because the machine may be busy. */
const startLimitMs = 60_000;

/** The MongoDB that somebody wants the tests to use, and not one that they have started for all of them. */
export const givenMongodb = () =>
  process.env.MONGODB_TEST_STARTED === undefined ? process.env.MONGODB_TEST_URL : undefined;

/** With `changeStreams` it is one that has them: mongo-java-server, or a replica set at `MONGODB_TEST_URL`. */
export async function startTestMongodb({ changeStreams = false } = {}) {
  const given = changeStreams ? givenMongodb() : process.env.MONGODB_TEST_URL;
  if (given) return { url: given, name: 'MONGODB_TEST_URL', stop: () => Promise.resolve() };
  const java = program('mongo-java-server');
  if (changeStreams) return java === undefined ? undefined : startJavaServer(java, ['--replSet', 'test']);
  const inMemory = await memoryServer();
  if (inMemory !== undefined) return inMemory;
  const mongod = program('mongod');
  if (mongod !== undefined) return startMongod(mongod);
  return java === undefined ? undefined : startJavaServer(java);
}

async function memoryServer() {
  // A variable, so that tools do not look for the package, which is optional.
  const name = 'mongodb-memory-server';
  try {
    const { MongoMemoryServer } = await import(name);
    const server = await MongoMemoryServer.create();
    return { url: server.getUri(), name, stop: async () => void (await server.stop()) };
  } catch {
    return undefined;
  }
}

async function startMongod(path) {
  const port = await freePort();
  const { child, folder, end, release } = await launch(path, [
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--quiet',
  ]);
  const waited = Date.now();
  while (child.exitCode === null && Date.now() - waited < startLimitMs) {
    // Its stdout does not say when it is ready; from here on the driver waits.
    if (await listens(port)) {
      release();
      return { url: `mongodb://127.0.0.1:${port}/`, name: path, folder, stop: end };
    }
    await delay(50);
  }
  await end();
  throw new Error(`${path} did not start`);
}

async function startJavaServer(path, options = []) {
  const { child, folder, end, release } = await launch(path, ['--port', '0', '--until-stdin-ends', ...options]);
  const url = await new Promise((resolve) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const address = /^listening on (\S+)\n/m.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => resolve(undefined));
    setTimeout(() => resolve(undefined), startLimitMs).unref();
  });
  if (url === undefined) {
    await end();
    throw new Error(`${path} did not start; tools/install-mongodb.sh installs the present version`);
  }
  release();
  return { url, name: path, folder, stop: end };
}

/** Starts a server that stops when its stdin ends, or else with this process; neither keeps this process alive. */
async function launch(path, options) {
  const folder = await mkdtemp(join(tmpdir(), 'quire-mongodb-'));
  const child = spawn(path, ['--dbpath', folder, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.once('error', () => undefined);
  const killed = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', killed);
  const end = async () => {
    process.removeListener('exit', killed);
    child.ref();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    if (child.pid !== undefined) await gone;
    await rm(folder, { recursive: true, force: true });
  };
  /** To be called when the server listens: until then this process waits for it. */
  const release = () => {
    for (const part of [child, child.stdin, child.stdout]) part.unref?.();
  };
  return { child, folder, end, release };
}

function program(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), '.local', 'bin')];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(mayRun);
}

function mayRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('connect', () => socket.destroy());
  });
}
