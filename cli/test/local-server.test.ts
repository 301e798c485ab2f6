import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { Desk } from './support.js';

describe('The command line without a server', () => {
  const desk = new Desk();
  /** Its idle time is that of the call that starts it. */
  const env = { QUIRE_LOCAL_IDLE_SECONDS: '2' };
  const local = (): string => join(desk.cache, readdirSync(desk.cache).find((name) => name.startsWith('local-')) ?? '');

  before(() => desk.addPdfs('in.pdf'));
  after(async () => {
    await gone();
    desk.remove();
  });

  /** Waits until the local server has stopped by itself. */
  async function gone(): Promise<void> {
    while (existsSync(join(local(), 'server.sock'))) await sleep(100);
  }

  it('starts one of its own behind a private socket, uses it again, and lets it end by itself', async () => {
    const both = await Promise.all([
      desk.run(['rotate', 'in.pdf', '-o', 'one.pdf'], { env }),
      desk.run(['rotate', 'in.pdf', '-o', 'two.pdf'], { env }),
    ]);
    expect(
      both.map(({ code }) => code),
      both.map(({ stderr }) => stderr).join(),
    ).to.deep.equal([0, 0]);
    expect((await PDFDocument.load(readFileSync(join(desk.work, 'two.pdf')))).getPageCount()).to.equal(2);

    const folder = local();
    const socket = join(folder, 'server.sock');
    expect(statSync(socket).isSocket()).to.equal(true);
    for (const path of [desk.cache, folder, join(folder, 'data')])
      expect(statSync(path).mode & 0o777, path).to.equal(0o700);
    expect(statSync(socket).mode & 0o777).to.equal(0o600);

    const started = statSync(socket).ctimeMs;
    const { code, stderr } = await desk.run(['rotate', 'in.pdf', '-o', 'three.pdf'], { env });
    expect([code, stderr.includes('Starting')]).to.deep.equal([0, false]);
    expect(statSync(socket).ctimeMs).to.equal(started);

    await gone();
    expect(existsSync(join(folder, 'data'))).to.equal(true);
  });

  it('starts again beside the socket of a server that was killed, without the settings of another one', async () => {
    const killed = "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    spawnSync(process.execPath, ['-e', killed, join(local(), 'server.sock')]);
    expect(existsSync(join(local(), 'server.sock'))).to.equal(true);
    const settings = { SERVER_PORT: 'none', SECURITY_ENABLELOGIN: 'true' };
    const { code, stderr } = await desk.run(['count-pages', 'in.pdf'], { env: { ...env, ...settings } });
    expect(code, stderr).to.equal(0);
  });

  it('serves in the terminal when it is called alone, and says how to get help', async () => {
    const { code, stdout, stderr } = await desk.run([], {
      env: { SERVER_PORT: '0' },
      started: (child) => child.stderr?.once('data', () => child.kill('SIGTERM')),
    });
    expect(code, stderr).to.equal(0);
    expect(stdout.toString()).to.contain('Quire is listening on http://127.0.0.1:');
    expect(stderr).to.contain('quire --help');
  });

  it('says why the local server did not start', async () => {
    await gone();
    const settings = join(local(), 'data', 'configs', 'settings.yml');
    writeFileSync(settings, 'server: {port: none}');
    const { code, stderr } = await desk.run(['count-pages', 'in.pdf'], { env });
    writeFileSync(settings, '');
    expect(code).to.equal(5);
    expect(stderr).to.contain('server.port');
  });
});
