import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib';
import { hasProgram } from '../../../document/test/support.js';
import { expectPdf } from '../../kit/expect-pdf.js';
import { makePdf } from '../../kit/make-pdf.js';
import { readZip } from '../../kit/read-zip.js';
import { field, file, json, post, send, type Answer, type Part } from '../support/client.js';
import { addUser, bossName, bossPassword, sessionOf } from '../support/login.js';
import { definitionOf, step } from '../support/pipelines.js';
import { until, type TestServer } from '../support/server.js';
import { sampleOf } from '../../suites/nightly.js';

const plugins = [
  ...['general', 'misc', 'security', 'convert'].map((name) => `@quire/plugin-${name}`),
  fileURLToPath(new URL('../../fixtures/host-and-worker-plugin', import.meta.url)),
];
const stamp = { autoUpdateMetadata: true, creator: 'Acme Portal', producer: 'Acme <PDF> 2' };

/** Entries of the information dictionary, as pdf-lib reads them, and the XMP packet. */
async function metadataOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const { context, catalog } = await PDFDocument.load(bytes, { updateMetadata: false });
  const info = context.lookup(context.trailerInfo.Info);
  const packet = context.lookup(catalog.get(PDFName.of('Metadata')));
  return {
    ...(info instanceof PDFDict
      ? Object.fromEntries(
          info
            .entries()
            .map(([key, value]) => [
              key.decodeText(),
              value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : String(value),
            ]),
        )
      : {}),
    ...(packet instanceof PDFRawStream ? { xmp: Buffer.from(packet.getContents()).toString() } : {}),
  };
}

describe('The metadata of results', function () {
  this.timeout(120_000);
  let server: TestServer;
  let folder: string;
  let ada: { readonly authorization: string };
  let plain: Uint8Array;
  /** Dates in documents have no milliseconds. */
  const began = Math.floor(Date.now() / 1000) * 1000;

  const start = async (customMetadata: object, login = true): Promise<TestServer> => {
    const started = await createTestServer({
      settings: {
        security: login
          ? { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } }
          : { enableLogin: false },
        premium: { proFeatures: { customMetadata } },
      },
      plugins,
    });
    await started.start();
    return started;
  };
  const call = async (path: string, parts: readonly Part[], on = server): Promise<Answer> => {
    const answer = await post(`${on.url}/api/v1/${path}`, parts, on === server ? ada : {});
    expect(answer.status, answer.body.toString().slice(0, 500)).to.equal(200);
    return answer;
  };
  const qpdf = (bytes: Uint8Array, ...args: readonly string[]): Buffer => {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(from, bytes);
    execFileSync('qpdf', [...args, from, to], { stdio: 'pipe' });
    return readFileSync(to);
  };
  /** Expects the stamp of a call by Ada, just now. */
  const expectStamp = async (bytes: Uint8Array): Promise<void> => {
    const { ModDate, ...info } = await metadataOf(bytes);
    expect(info).to.include({ Author: 'ada', Creator: 'Acme Portal', Producer: 'Acme <PDF> 2' });
    const modified = PDFString.of(ModDate ?? '').decodeDate();
    expect(modified.getTime()).to.be.at.least(began);
  };

  before(async function needsQpdf() {
    if (!hasProgram('qpdf')) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'metadata-'));
    const document = await PDFDocument.load(await makePdf({ pages: 2 }));
    document.setAuthor('Grace');
    document.setTitle('Compilers');
    document.setModificationDate(new Date('2001-01-01T00:00:00Z'));
    plain = await document.save();
    server = await start(stamp);
    const boss = await sessionOf(server);
    await addUser(server, boss, 'ada');
    ada = await sessionOf(server, 'ada', 'password of ada');
  });
  after(async () => {
    await server?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('gets the name of the caller and the texts of the operator, and keeps the rest', async () => {
    const { body } = await call('general/rotate-pdf', [file(plain), field('angle', '90')]);
    await expectStamp(body);
    expect(await metadataOf(body)).to.include({ Title: 'Compilers' });
    await expectPdf(body).pages(2);
    qpdf(body, '--deterministic-id');
  });

  it('stays as it is while the setting is off', async () => {
    const off = await start({ ...stamp, autoUpdateMetadata: false }, false);
    try {
      const { body } = await call('general/rotate-pdf', [file(plain), field('angle', '90')], off);
      expect(await metadataOf(body)).to.include({ Author: 'Grace', Producer: 'Quire' });
    } finally {
      await off.stop();
    }
  });

  it('names nobody where nobody logs in, and leaves out texts that the operator emptied', async () => {
    const anonymous = await start({ ...stamp, producer: '' }, false);
    const fixed = await start({ ...stamp, author: 'The Press Office' }, false);
    try {
      const parts = [file(plain), field('angle', '90')];
      expect(await metadataOf((await call('general/rotate-pdf', parts, anonymous)).body)).to.include({
        Author: 'Grace',
        Creator: 'Acme Portal',
        Producer: 'Quire',
      });
      expect(await metadataOf((await call('general/rotate-pdf', parts, fixed)).body)).to.include({
        Author: 'The Press Office',
      });
    } finally {
      await Promise.all([anonymous.stop(), fixed.stop()]);
    }
  });

  it('is written for operations that run in the server itself as well', async () => {
    for (const where of ['host', 'worker'])
      await expectStamp((await call(`misc/${where}-copy`, [file(plain), field('copies', '1')])).body);
  });

  it('of every file in an archive, and of the result of a job', async () => {
    const { body } = await call('general/split-pages', [file(plain), field('pageNumbers', '1')]);
    const entries = await readZip(body);
    expect(entries).to.have.length(2);
    for (const { bytes } of entries) await expectStamp(bytes);
    const { jobId } = json<{ jobId: string }>(
      await call('general/rotate-pdf', [file(plain), field('angle', '90'), field('async', 'true')]),
    );
    const state = async () =>
      json<{ complete: boolean }>(await send(`${server.url}/api/v1/general/job/${jobId}`, { headers: ada }));
    await until('the job is complete', async () => (await state()).complete);
    await expectStamp((await send(`${server.url}/api/v1/general/job/${jobId}/result`, { headers: ada })).body);
  });

  it('that a caller sets or removes on purpose wins, in a pipeline too', async () => {
    const own = [field('author', 'Hopper'), field('producer', 'COBOL'), field('deleteAll', 'false')];
    const set = await metadataOf((await call('misc/update-metadata', [file(plain), ...own])).body);
    expect(set).to.include({ Author: 'Hopper', Producer: 'COBOL' }).and.not.have.any.keys('Creator');
    const clean = await call('security/sanitize-pdf', [file(plain), field('removeMetadata', 'true')]);
    expect(await metadataOf(clean.body)).to.not.have.any.keys('Author', 'Creator');
    await expectStamp((await call('security/sanitize-pdf', [file(plain)])).body);
    const pipeline = definitionOf([
      step('misc/update-metadata', { author: 'Hopper', deleteAll: false }),
      step('general/rotate-pdf', { angle: 90 }),
    ]);
    const { body } = await call('pipeline/handleData', [file(plain), field('json', pipeline)]);
    expect(await metadataOf(body)).to.include({ Author: 'Hopper' });
  });

  it('of a pipeline is written at its end, and before a password shuts the result', async () => {
    const steps = [step('general/rotate-pdf', { angle: 90 }), step('general/split-pages', { pageNumbers: '1' })];
    for (const { bytes } of await readZip(
      (await call('pipeline/handleData', [file(plain), field('json', definitionOf(steps))])).body,
    ))
      await expectStamp(bytes);
    const locking = [step('general/rotate-pdf', { angle: 90 }), step('security/add-password', { password: 'open' })];
    const locked = await call('pipeline/handleData', [file(plain), field('json', definitionOf(locking))]);
    await expectStamp(qpdf(locked.body, '--decrypt', '--password=open'));
  });

  it('reaches encrypted results, whose passwords and rights stay', async () => {
    const { body } = await call('security/add-password', [
      file(plain),
      field('password', 'open'),
      field('ownerPassword', 'own'),
      field('preventModify', 'true'),
    ]);
    await expectPdf(body, 'open').pages(2);
    expect(() => qpdf(body, '--decrypt')).to.throw();
    await expectStamp(qpdf(body, '--decrypt', '--password=open'));
    const path = join(folder, 'locked.pdf');
    writeFileSync(path, body);
    const rights = execFileSync('qpdf', ['--show-encryption', '--password=open', path]).toString();
    expect(rights).to.match(/modify anything: not allowed/);
  });

  it('of a signed document is not touched', async () => {
    const signed = readFileSync(new URL('../../../plugins/signing/fixtures/signed.pdf', import.meta.url));
    const comments = [{ pageIndex: 0, x: 10, y: 10, width: 20, height: 20, text: 'Seen' }];
    const { body } = await call('misc/add-comments', [file(signed), field('comments', JSON.stringify(comments))]);
    expect(body.subarray(0, signed.length).equals(signed)).to.equal(true);
    expect(body.length).to.be.greaterThan(signed.length);
    expect(body.subarray(signed.length).toString('latin1')).to.not.include('Acme Portal');
    expect((await metadataOf(body))['Author']).to.equal((await metadataOf(signed))['Author']);
  });

  it('keeps a linearized file linearized', async () => {
    // One that becomes smaller: an unchanged file is the caller's own.
    const wide = await PDFDocument.load(plain);
    for (let i = 0; i < 40; i++) wide.addPage([300, 300]).drawText(`Page ${i}`);
    const { body } = await call('misc/compress-pdf', [
      file(await wide.save({ useObjectStreams: false })),
      field('optimizeLevel', '2'),
      field('linearize', 'true'),
    ]);
    await expectStamp(qpdf(body));
    const path = join(folder, 'linear.pdf');
    writeFileSync(path, body);
    expect(execFileSync('qpdf', ['--check-linearization', path]).toString()).to.include('no linearization errors');
  });

  for (const level of sampleOf(['pdfa-1b', 'pdfa-2b'], 2))
    it(`agrees with XMP, as ${level} demands`, async function archived() {
      if (!hasProgram('gs') || !hasProgram('verapdf')) this.skip();
      const { body } = await call('convert/pdf/pdfa', [file(plain), field('outputFormat', level)]);
      await expectStamp(body);
      const { xmp = '', ModDate = '' } = await metadataOf(body);
      expect(xmp).to.include('<rdf:li>ada</rdf:li>').and.include('Acme Portal').and.include('Acme &lt;PDF&gt; 2');
      const said = /xmp:ModifyDate>([^<]+)</.exec(xmp)?.[1] ?? /xmp:ModifyDate="([^"]+)"/.exec(xmp)?.[1] ?? '';
      expect(Date.parse(said)).to.equal(PDFString.of(ModDate).decodeDate().getTime());
      const path = join(folder, 'archived.pdf');
      writeFileSync(path, body);
      const report = execFileSync('verapdf', ['--format', 'text', path]).toString();
      expect(report).to.match(/^PASS/);
    });
});
