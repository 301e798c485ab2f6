import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import plugin from '../../fixtures/acme-barcode/dist/index.js';
import { callOperation } from '../../kit/call-operation.js';
import { collectConformance } from '../../kit/collect-conformance.js';
import { expectPdf } from '../../kit/expect-pdf.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'test', 'fixtures', 'acme-barcode');
const letter = { name: 'letter.pdf', bytes: new Uint8Array(readFileSync(join(source, 'fixtures', 'letter.pdf'))) };

describe('a third-party plugin', () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'quire-stranger-'));
    install(folder);
    writeFileSync(
      join(folder, 'settings.yml'),
      "server:\n  port: 0\nplugins:\n  - use: '@acme/quire-plugin-barcode'\n",
    );
    ({ server, url } = await start(folder));
  });

  after(async () => {
    if (server !== undefined && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes the conformance kit', async function () {
    this.timeout(120_000);
    const found = await collectConformance(plugin, source);
    expect(found, found.join('\n')).to.deep.equal([]);
  });

  it('serves its route once it is in the settings', async () => {
    const answer = await callOperation(url, {
      path: 'misc/acme-barcode',
      files: [letter],
      params: { text: 'ACME-42' },
    });
    expect(answer.status).to.equal(200);
    expect(answer.fileName).to.equal('letter_barcode.pdf');
    await expectPdf(answer.bytes)
      .pages(2)
      .text(1, /Dear customer[\s\S]*ACME-42/)
      .text(2, 'Yours');
  });

  it('refuses what its schema refuses', async () => {
    const answer = await callOperation(url, {
      path: 'misc/acme-barcode',
      files: [letter],
      params: { text: 'ACME-42', height: 5 },
    });
    expect(answer.status).to.equal(400);
    expect(answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).to.equal('/height');
  });

  it('runs as a pipeline step among shipped operations', async () => {
    const definition = {
      pipeline: [
        { operation: '/api/v1/misc/acme-barcode', parameters: { text: 'ACME-7' } },
        { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
      ],
    };
    const answer = await callOperation(url, {
      path: 'pipeline/handleData',
      files: [letter],
      params: { json: JSON.stringify(definition) },
    });
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, 300))).to.equal(200);
    await expectPdf(answer.bytes).pages(2).rotation(1, 90).text(1, 'ACME-7');
  });

  it('runs as a job', async () => {
    const started = await callOperation(url, {
      path: 'misc/acme-barcode?async=true',
      files: [letter],
      params: { text: 'ACME-9' },
    });
    expect(started.status).to.equal(200);
    const { jobId } = started.json<{ jobId: string }>();
    const address = `${url}/api/v1/general/job/${jobId}`;
    for (let i = 0; i < 200; i++) {
      const record = (await (await fetch(address)).json()) as { complete: boolean; error: string | null };
      expect(record.error ?? '').to.equal('');
      if (record.complete) break;
      await wait(50);
    }
    const result = await fetch(`${address}/result`);
    expect(result.status).to.equal(200);
    await expectPdf(new Uint8Array(await result.arrayBuffer()))
      .pages(2)
      .text(1, 'ACME-9');
  });

  it('is in the published API description', async () => {
    const document = (await (await fetch(`${url}/v1/api-docs`)).json()) as {
      paths: Record<string, { post?: { summary?: string } }>;
    };
    expect(document.paths['/api/v1/misc/acme-barcode']?.post?.summary).to.equal('Stamp a barcode on the first page');
  });
});

/** Packs the plugin and installs it into its own folder, as `npm install` beside a server does. */
function install(folder: string): void {
  const npm = (...args: string[]): string =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = JSON.parse(npm('pack', source, '--json', '--ignore-scripts')) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(
    'install',
    `./${packed.filename.replace('@', '').replace('/', '-')}`,
    '--offline',
    '--legacy-peer-deps',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  );
  // Stands in for the peers that npm would fetch if they were published: the server's own copies.
  mkdirSync(join(folder, 'node_modules', '@quire'), { recursive: true });
  symlinkSync(join(root, 'registry'), join(folder, 'node_modules', '@quire', 'registry'));
  symlinkSync(join(root, 'node_modules', 'pdf-lib'), join(folder, 'node_modules', 'pdf-lib'));
}

/** Starts the real server with the folder's settings and waits until it listens. */
async function start(folder: string): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(
    process.execPath,
    [join(root, 'core', 'dist', 'main.js'), '--settings', join(folder, 'settings.yml')],
    {
      cwd: folder,
      env: { ...process.env, QUIRE_BASE_PATH: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listening on (http\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
  return { server, url };
}
