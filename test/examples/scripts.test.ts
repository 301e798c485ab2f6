import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectPdf } from '../kit/expect-pdf.js';
import { productRoot } from '../http/support/server.js';
import { makeBase, type ServerProcess, startProcess } from '../http/support/process.js';

const examples = join(productRoot, 'examples');
const letter = join(productRoot, 'plugins', 'general', 'fixtures', 'two-pages.pdf');
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the examples', function () {
  this.timeout(120_000);
  let server: ServerProcess;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-examples-'));
    server = await startProcess(makeBase({ plugins: [] }), {}, undefined, 60);
  });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.exit;
    rmSync(server.basePath, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (command: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, QUIRE_URL: server.url },
    });
    expect(status, `${stdout}${stderr}`).to.equal(0);
    return stdout;
  };
  const written = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));

  it('rotate a PDF with curl', async () => {
    run('sh', join(examples, 'curl', 'rotate.sh'), letter);
    await expectPdf(written('rotated.pdf')).pages(2).rotation(1, 90);
  });

  it('check and run a pipeline with curl', async () => {
    expect(run('sh', join(examples, 'curl', 'pipeline.sh'), letter)).to.contain('"valid":true');
    await expectPdf(written('pipeline-result.pdf')).pages(2).rotation(1, 180).text(1, /DRAFT/);
  });

  it('run a job with curl', async () => {
    run('sh', join(examples, 'curl', 'job.sh'), letter);
    await expectPdf(written('compressed.pdf')).pages(2);
  });

  it('merge files with fetch', async () => {
    run(process.execPath, join(examples, 'javascript', 'merge.mjs'), 'merged.pdf', letter, letter);
    await expectPdf(written('merged.pdf')).pages(4);
  });

  it('follow a job by server-sent events', async () => {
    expect(run(process.execPath, join(examples, 'javascript', 'follow-job.mjs'), letter)).to.contain('succeeded');
    await expectPdf(written('followed.pdf')).pages(2);
  });

  it('add a watermark with Python (skipped where python3 is not on PATH)', async function () {
    if (!hasPython) this.skip();
    run('python3', join(examples, 'python', 'watermark.py'), letter, 'COPY');
    await expectPdf(written('watermarked.pdf')).pages(2).text(1, /COPY/);
  });

  it("print the server's refusal", () => {
    const broken = join(productRoot, 'package.json');
    const { status, stderr } = spawnSync('sh', [join(examples, 'curl', 'rotate.sh'), broken], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, QUIRE_URL: server.url },
    });
    expect(status).to.not.equal(0);
    expect(stderr).to.contain('INPUT_KIND');
  });

  it('are all listed', () => {
    const list = readFileSync(join(examples, 'README.md'), 'utf8');
    for (const kind of ['curl', 'javascript', 'python'])
      for (const name of readdirSync(join(examples, kind))) expect(list, name).to.contain(`examples/${kind}/${name}`);
    expect(existsSync(join(examples, 'plugin-qr-code', 'package.json'))).to.equal(true);
  });
});
