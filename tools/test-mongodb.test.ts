import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));
const helper = new URL('mongodb/test-mongodb.mjs', import.meta.url).href;
const canStart = (process.env['PATH'] ?? '')
  .split(':')
  .some((folder) => existsSync(join(folder, 'mongod')) || existsSync(join(folder, 'mongo-java-server')));

describe('MongoDB server for tests', function suite() {
  this.timeout(90_000);
  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
    const { MONGODB_TEST_URL: _given, ...rest } = process.env;
    return { ...rest, ...more };
  };
  const run = (script: string, env: NodeJS.ProcessEnv): { readonly stdout: string; readonly status: number | null } =>
    spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import { startTestMongodb } from ${JSON.stringify(helper)}; ${script}`],
      { cwd: root, encoding: 'utf8', env },
    );
  const takesConnections = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false))
        .once('connect', () => socket.destroy());
    });

  it('is the one at MONGODB_TEST_URL, and keeps running after the tests', () => {
    const { stdout } = run(
      'const one = await startTestMongodb(); await one.stop(); console.log(one.url, one.name, one.folder);',
      environment({ MONGODB_TEST_URL: 'mongodb://store.example/' }),
    );
    expect(stdout.trim()).to.equal('mongodb://store.example/ MONGODB_TEST_URL undefined');
  });

  it('is undefined when the machine has none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-no-mongodb-'));
    const { stdout } = run('console.log(await startTestMongodb());', environment({ PATH: folder, HOME: folder }));
    rmSync(folder, { recursive: true });
    expect(stdout.trim()).to.equal('undefined');
  });

  it(
    'stops with the process that started it, even after kill ' +
      `-9${canStart ? '' : ' (skipped: sh tools/install-mongodb.sh)'}`,
    async function needsServer() {
      if (!canStart || (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'mongod'))))
        return this.skip();
      const child = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { startTestMongodb } from ${JSON.stringify(helper)}; console.log(JSON.stringify(await ` +
            'startTestMongodb())); setTimeout(() => undefined, 60_000);',
        ],
        { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      const { url, folder } = JSON.parse(String(said)) as { url: string; folder: string };
      const port = Number(new URL(url).port);
      expect([await takesConnections(port), existsSync(folder)]).to.deep.equal([true, true]);
      child.kill('SIGKILL');
      for (let waited = 0; waited < 500 && (await takesConnections(port)); waited += 1) await delay(50);
      expect(await takesConnections(port)).to.equal(false);
      rmSync(folder, { recursive: true, force: true });
    },
  );

  it(
    'leaves no process and no folder when it is stopped, or when its process ' +
      `exits${canStart ? '' : ' (skipped: sh tools/install-mongodb.sh)'}`,
    async function needsServer() {
      if (!canStart) return this.skip();
      for (const end of ['await one.stop();', 'process.exit(0);']) {
        const { stdout } = run(
          `const one = await startTestMongodb(); console.log(JSON.stringify(one)); ${end}`,
          environment(),
        );
        const { url, folder } = JSON.parse(stdout) as { url: string; folder: string };
        expect([await takesConnections(Number(new URL(url).port)), existsSync(folder)], end).to.deep.equal([
          false,
          false,
        ]);
      }
    },
  );
});
