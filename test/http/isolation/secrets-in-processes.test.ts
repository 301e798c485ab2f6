import { execFileSync, spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { findProgram } from '../../../core/isolation/index.js';
import { secretVariables } from '../../../core/settings/secret-environment.mjs';
import { field, file, post } from '../support/client.js';
import { bossName, bossPassword, sendJson, sessionOf } from '../support/login.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { descendants, foundInMemory, seen } from '../support/process-table.js';
import { productRoot, until } from '../support/server.js';
import { FIXED_PASSWORD } from '../support/server-certificate.js';

/** Begins every secret of these tests. */
const CANARY = 'c0ffee5ec2e7';
const storeSecret = CANARY.padEnd(64, '0123456789abcdef');
const globalKey = `${CANARY}-global-key`;
const pdf = readFileSync(fileURLToPath(new URL('../../../plugins/general/fixtures/two-pages.pdf', import.meta.url)));
const letter = readFileSync(fileURLToPath(new URL('../../../plugins/convert/fixtures/letter.docx', import.meta.url)));
const script = join(productRoot, 'deploy', 'start.mjs');
const npm = findProgram('npm', process.env['PATH'] ?? '');
const office = findProgram('soffice', process.env['PATH'] ?? '');
const withOpenssl = findProgram('openssl', process.env['PATH'] ?? '') !== undefined;

/** Every secret that the server reads, but the address of a database. */
const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  secretVariables.map((name) => [
    name,
    {
      STORE_SECRET: storeSecret,
      STORE_MONGODB_URL: '',
      JOBS_CALLBACKS_SECRET: `whsec_${CANARY.repeat(3)}`,
      SCIM_TOKEN: CANARY.repeat(3),
    }[name] ?? (name === 'SECURITY_CUSTOMGLOBALAPIKEY' ? globalKey : `${CANARY}-${name}`),
  ]),
);

describe('Secrets that the environment gives to the server (Linux)', function suite() {
  this.timeout(180_000);
  const servers: ServerProcess[] = [];
  let basePath: string;
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(() => {
    basePath = makeBase(
      stringify({
        server: { port: 0, host: '127.0.0.1' },
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
      }),
    );
  });
  afterEach(async () => {
    for (const { child, exit } of servers.splice(0)) {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exit;
    }
    rmSync(basePath, { recursive: true, force: true });
  });

  const { SECURITY_INITIALLOGIN_PASSWORD: _ofTheFile, ...given } = secrets;
  const start = async (command?: readonly string[], env: Record<string, string> = {}): Promise<ServerProcess> => {
    const server = await startProcess(basePath, { ...given, ...env }, command, 60);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    expect(server.text()).not.to.contain('does not let the server remove secrets').and.not.to.contain(CANARY);
    return server;
  };
  const call = (url: string, path: string, part: ReturnType<typeof file>, ...fields: ReturnType<typeof field>[]) =>
    post(`${url}/api/v1/${path}`, [part, ...fields], { 'x-api-key': globalKey });

  /** Commands of all processes below this one that show a secret. */
  const showing = (pid: number): string[] =>
    [seen(pid), ...descendants(pid)].flatMap((each) =>
      each?.environment.includes(CANARY) === true ? [each.command] : [],
    );

  /** Looks at all processes until the work is done; returns the commands that were seen. */
  async function whileWatching(pid: number, work: Promise<unknown>): Promise<Set<string>> {
    const commands = new Set<string>();
    let done = false;
    const ended = work.finally(() => (done = true));
    while (!done) {
      for (const { command, environment } of descendants(pid)) {
        commands.add(command);
        expect(environment, command).not.to.contain(CANARY);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await ended;
    return commands;
  }

  it('are not shown by the server, by workers or by programs while they work', async () => {
    const { url, child, text } = await start();
    const pid = child.pid ?? 0;
    const work = async (): Promise<void> => {
      const rotated = await call(url, 'general/rotate-pdf', file(pdf), field('angle', '90'));
      expect(rotated.status, rotated.body.toString()).to.equal(200);
      if (office === undefined) return;
      const converted = await call(url, 'convert/file/pdf', file(letter, 'letter.docx'));
      expect(converted.status, `${converted.body.toString()}\n${text()}`).to.equal(200);
    };
    const commands = [...(await whileWatching(pid, work()))];
    expect(commands.some((command) => command.includes('worker-entry'))).to.equal(true);
    if (office !== undefined) expect(commands.some((command) => /soffice/.test(command))).to.equal(true);
    expect(showing(pid)).to.deep.equal([]);
  });

  it('are not in the memory of a worker, nor is the key of the server certificate', async function () {
    if (process.getuid?.() !== 0 || !withOpenssl) return this.skip();
    const { url, child } = await start();
    const signed = await call(url, 'security/cert-sign', file(pdf), field('certType', 'SERVER'));
    expect(signed.status, signed.body.toString().slice(0, 500)).to.equal(200);
    const keystore = join(basePath, 'configs', 'server-certificate.p12');
    const key = createPrivateKey(
      execFileSync(
        'openssl',
        ['pkcs12', '-in', keystore, '-passin', `pass:${FIXED_PASSWORD}`, '-nodes', '-nocerts', '-legacy'],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      ),
    );
    const prime = Buffer.from(key.export({ format: 'jwk' }).p ?? '', 'base64url');
    expect(prime.length).to.be.at.least(96);
    const wanted = new Map([
      ['text', Buffer.from(CANARY)],
      ['wide text', Buffer.from(CANARY, 'utf16le')],
      ['bytes of the sealing key', Buffer.from(storeSecret, 'hex')],
      ['prime', prime],
      // OpenSSL keeps the lowest bytes first.
      ['turned prime', Buffer.from(prime).reverse()],
    ]);
    const workers = descendants(child.pid ?? 0).filter(({ command }) => command.includes('worker-entry'));
    expect(workers).not.to.deep.equal([]);
    for (const { pid, command } of workers) expect(foundInMemory(pid, wanted), command).to.deep.equal([]);
    // The search finds them where they are.
    expect(foundInMemory(child.pid ?? 0, wanted)).to.include.members(['text', 'bytes of the sealing key']);
    expect(foundInMemory(child.pid ?? 0, wanted).some((name) => name.includes('prime'))).to.equal(true);
  });

  it('are not open as files in a worker, nor is the database', async () => {
    const { url, child } = await start();
    const rotated = await call(url, 'general/rotate-pdf', file(pdf), field('angle', '90'));
    expect(rotated.status).to.equal(200);
    const openFiles = (pid: number): string[] =>
      execFileSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(`-> ${basePath}`) && !line.includes(`${basePath}/tmp/`));
    const workers = descendants(child.pid ?? 0).filter(({ command }) => command.includes('worker-entry'));
    expect(workers).not.to.deep.equal([]);
    for (const { pid, command } of workers) expect(openFiles(pid), command).to.deep.equal([]);
    expect(openFiles(child.pid ?? 0).join('\n')).to.contain('store');
  });

  it('are not shown under deploy/start.mjs, before and after a restart by an administrator', async () => {
    const server = await start([process.execPath, script]);
    const pid = server.child.pid ?? 0;
    expect(showing(pid)).to.deep.equal([]);
    const boss = await sessionOf(server);
    expect((await sendJson(server, '/api/v1/admin/settings/restart', {}, boss)).status).to.equal(200);
    await until('the server is back', () => server.text().split('listening on').length === 3);
    const url = [...server.text().matchAll(/listening on (http:\S+)/g)].at(-1)?.[1] ?? '';
    const again = await call(url, 'general/rotate-pdf', file(pdf), field('angle', '90'));
    expect(again.status, 'the restarted server knows the secrets').to.equal(200);
    const below = descendants(pid).map(({ command }) => command);
    expect(below.some((command) => command.includes('config/quire-server.mjs'))).to.equal(true);
    expect(showing(pid)).to.deep.equal([]);
  });

  it('are not shown by an older Node that starts Node 24', async () => {
    const old =
      `data:text/javascript,if (!process.env.OLD_NODE) { process.env.OLD_NODE = '1'; Object.defineProperty(process,` +
      `'versions', { value: { ...process.versions, node: '20.19.0' } }); }`;
    const server = await start([process.execPath, '--import', old, script]);
    const pid = server.child.pid ?? 0;
    const below = descendants(pid).map(({ command }) => command);
    expect(below.some((command) => command.includes('start.mjs'))).to.equal(true);
    expect(showing(pid)).to.deep.equal([]);
  });

  it('are shown under npm start by npm alone, which the operator gave them to', async function () {
    if (npm === undefined) return this.skip();
    const server = await start([npm, 'start']);
    const pid = server.child.pid ?? 0;
    const running = descendants(pid);
    expect(running.some(({ command }) => command.includes('start.mjs'))).to.equal(true);
    expect(showing(pid).every((command) => command.startsWith('npm '))).to.equal(true);
    expect(running.filter(({ environment }) => environment.includes(CANARY))).to.deep.equal([]);
  });

  it('are not shown while the server waits for its database', async () => {
    const text: string[] = [];
    const child = spawn(process.execPath, [join(productRoot, 'core', 'dist', 'main.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        QUIRE_BASE_PATH: basePath,
        STORE_SECRET: storeSecret,
        STORE_MONGODB_URL: `mongodb://quire:${CANARY}@127.0.0.1:9/`,
      },
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => text.push(String(chunk)));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until('it waits', () => /waiting|waits|cannot be reached|unreachable/i.test(text.join('')), 60);
    expect(showing(child.pid ?? 0)).to.deep.equal([]);
    expect(text.join('')).not.to.contain(CANARY);
    child.kill('SIGKILL');
    await ended;
  });

  it('are named in a warning where the system does not let a process overwrite them', async () => {
    const sealed =
      `data:text/javascript,import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; ` +
      `const open = fs.openSync; fs.openSync = (path, ...rest) => { if (path === '/proc/self/mem') ` +
      `throw new Error('EACCES'); return open(path, ...rest); }; syncBuiltinESMExports();`;
    const main = join(productRoot, 'core', 'dist', 'main.js');
    const server = await startProcess(basePath, { STORE_SECRET: storeSecret }, [
      process.execPath,
      '--import',
      sealed,
      main,
    ]);
    servers.push(server);
    expect(server.text())
      .to.contain('does not let the server remove secrets')
      .and.to.contain('STORE_SECRET_FILE')
      .and.not.to.contain(CANARY);
  });

  it('may be in files instead, and are then never in an environment', async () => {
    const folder = makeBase();
    const inFile = join(folder, 'key');
    const { SECURITY_CUSTOMGLOBALAPIKEY: _key, ...others } = given;
    writeFileSync(inFile, `${globalKey}\n`);
    const server = await startProcess(basePath, { ...others, SECURITY_CUSTOMGLOBALAPIKEY_FILE: inFile }, undefined, 60);
    servers.push(server);
    const answer = await call(server.url, 'general/rotate-pdf', file(pdf), field('angle', '90'));
    expect(answer.status, answer.body.toString()).to.equal(200);
    rmSync(folder, { recursive: true, force: true });
  });
});
