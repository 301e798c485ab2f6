import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, expectPdf, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';

interface Named {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const ASKED = 'The PDF Document is passworded and either the password was not provided or was incorrect';
const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
const fixture = async (name: string, plugin = 'security'): Promise<Named> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../../${plugin}/fixtures/${name}`, import.meta.url))),
});

describe('passwords over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let plain: Named;
  before(async () => {
    server = await createTestServer({
      plugins: ['@quire/plugin-security', '@quire/plugin-general', '@quire/plugin-filter', '@quire/plugin-misc'],
    });
    url = await server.start();
    plain = { name: 'report.pdf', bytes: await makePdf({ pages: 2, text: ['first', 'second'] }) };
  });
  after(() => server.stop());

  const add = (params: Record<string, unknown>, file = plain): Promise<OperationAnswer> =>
    callOperation(url, { path: 'security/add-password', files: [file], params });
  const remove = (params: Record<string, unknown>, file: Named): Promise<OperationAnswer> =>
    callOperation(url, { path: 'security/remove-password', files: [file], params });
  const pipeline = (
    steps: readonly (readonly [path: string, parameters: object])[],
    path = 'handleData',
    file = plain,
  ): Promise<Response> => {
    const form = new FormData();
    if (path === 'handleData') form.append('fileInput', new Blob([Uint8Array.from(file.bytes)]), file.name);
    form.append(
      'json',
      JSON.stringify({
        name: 'x',
        pipeline: steps.map(([operation, parameters]) => ({ operation: `/api/v1/${operation}`, parameters })),
      }),
    );
    return fetch(`${url}/api/v1/pipeline/${path}`, { method: 'POST', body: form });
  };
  const faults = (answer: OperationAnswer): string[] => [
    String(answer.status),
    ...new Set((answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer)),
  ];
  const encryptionReport = async (answer: OperationAnswer, password = ''): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-passwords-'));
    const path = join(folder, 'a.pdf');
    await writeFile(path, answer.bytes);
    const { stdout, stderr } = spawnSync('qpdf', [`--password=${password}`, '--show-encryption', path], {
      encoding: 'utf8',
    });
    await rm(folder, { recursive: true });
    return stdout + stderr;
  };

  describe('add-password', () => {
    it('uses AES-256 by default', async () => {
      const answer = await add({ password: 'open' });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_passworded.pdf']);
      await expectPdf(answer.bytes, 'open').pages(2).text(1, /first/);
      if (hasQpdf)
        expect(await encryptionReport(answer, 'open'))
          .to.contain('R = 6')
          .and.contain('file encryption method: AESv3')
          .and.contain('Supplied password is owner password');
    });

    it('encrypts with AES-256 without any password too, under another file name', async function () {
      const answer = await add({ preventPrinting: 'true', preventModify: 'on', keyLength: '' });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_permissions.pdf']);
      await expectPdf(answer.bytes)
        .pages(2)
        .text(2, /second/);
      if (!hasQpdf) this.skip();
      expect(await encryptionReport(answer))
        .to.contain('R = 6')
        .and.contain('P = -16')
        .and.contain('Supplied password is user password')
        .and.contain('print low resolution: not allowed')
        .and.contain('modify other: not allowed')
        .and.contain('modify forms: allowed');
    });

    it('creates a restricted document that opens without a password if only an owner password is set', async () => {
      const answer = await add({ ownerPassword: 'owner', keyLength: 128, preventExtractContent: true });
      expect(answer.fileName).to.equal('report_passworded.pdf');
      await expectPdf(answer.bytes).pages(2);
      if (hasQpdf) {
        expect(await encryptionReport(answer))
          .to.contain('Supplied password is user password')
          .and.contain('extract for any purpose: not allowed')
          .and.contain('AESv2');
        expect(await encryptionReport(answer, 'owner')).to.contain('Supplied password is owner password');
      }
    });

    it('uses passwords unchanged, with spaces at their ends and empty fields', async () => {
      const answer = await add({ password: '  päss wörd ', ownerPassword: '' });
      await expectPdf(answer.bytes, '  päss wörd ').pages(2);
      expect((await remove({ password: 'päss wörd' }, { name: 'a.pdf', bytes: answer.bytes })).code).to.equal(
        'PDF_ENCRYPTED',
      );
    });

    it('ignores unknown fields', async () => {
      const answer = await add({ canPrint: 'false', canModify: 'false' });
      expect([answer.status, answer.headers.get('x-ignored-fields')]).to.deep.equal([200, 'canPrint, canModify']);
    });

    it('names the invalid field and what is allowed, and never the password', async () => {
      expect(faults(await add({ keyLength: 192 }))).to.deep.equal(['400', '/keyLength']);
      expect(faults(await add({ keyLength: 'strong', password: 'x' }))).to.deep.equal(['400', '/keyLength']);
      expect(faults(await add({ preventPrinting: 'perhaps', encryptMetadata: 'no way' })).sort()).to.deep.equal([
        '/encryptMetadata',
        '/preventPrinting',
        '400',
      ]);
      expect(faults(await add({ keyLength: 40, encryptMetadata: false }))).to.deep.equal(['400', '/encryptMetadata']);
      for (const [params, field, detail] of [
        [{ password: 'Geheim'.repeat(2000) }, '/password', /at most 127 bytes long in UTF-8/],
        [{ ownerPassword: 'Geheim'.repeat(2000), keyLength: 40 }, '/ownerPassword', /at most 32 characters long/],
        [
          { password: 'Geheimпароль', keyLength: 128 },
          '/password',
          /Latin 1 characters with a key of 40 or 128 bits; a key of 256 bits allows any/,
        ],
        [{ ownerPassword: 'Geheim\t' }, '/ownerPassword', /control characters/],
        [{ password: 'Geheimﬁ' }, '/password', /RFC 4013/],
      ] as const) {
        const answer = await add(params);
        expect(faults(answer)).to.deep.equal(['400', field]);
        const text = Buffer.from(answer.bytes).toString();
        expect(text).to.match(detail).and.not.contain('Geheim');
      }
    });

    it('refuses an encrypted document, and says where to unlock it', async () => {
      const answer = await add({ password: 'user' }, await fixture('locked.pdf'));
      const body = answer.json<{ errorCode: string; detail: string; hints?: string[] }>();
      expect([answer.status, answer.code, body.errorCode, body.detail]).to.deep.equal([
        400,
        'PDF_ENCRYPTED',
        'E004',
        'The PDF needs a password.',
      ]);
      expect(JSON.stringify(body)).to.contain('/api/v1/security/remove-password');
    });

    it('encrypts a document that opens with the empty password again', async () => {
      const answer = await add({ password: 'new' }, await fixture('restricted.pdf'));
      await expectPdf(answer.bytes, 'new')
        .pages(1)
        .text(1, /Restricted page/);
      if (hasQpdf)
        expect(await encryptionReport(answer, 'new'))
          .to.contain('R = 6')
          .and.contain('P = -4');
    });

    it('refuses signed and damaged documents, and files that are not PDFs', async () => {
      expect([(await add({ password: 'x' }, await fixture('signed.pdf', 'signing'))).code]).to.deep.equal([
        'PDF_SIGNED',
      ]);
      expect((await add({ password: 'x' }, { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7\nnothing') })).code).to.equal(
        'PDF_DAMAGED',
      );
      expect((await add({ password: 'x' }, { name: 'a.txt', bytes: Buffer.from('nothing') })).status).to.equal(415);
    });

    it('reports which declarations of standards were removed', async () => {
      expect((await add({ password: 'x' })).headers.get('x-tool-report')).to.equal(null);
      const document = await PDFDocument.load(plain.bytes);
      const claim =
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2' +
        '</pdfaid:part></rdf:Description></rdf:RDF></x:xmpmeta>';
      document.catalog.set(
        PDFName.of('Metadata'),
        document.context.register(document.context.stream(claim, { Type: 'Metadata', Subtype: 'XML' })),
      );
      const answer = await add({ password: 'x' }, { name: 'a.pdf', bytes: await document.save() });
      expect(answer.headers.get('x-tool-report')).to.contain('"withdrawn":"PDF/A"');
    });
  });

  describe('remove-password', () => {
    it('accepts the user password and the owner password', async () => {
      for (const password of ['user', 'owner']) {
        const answer = await remove({ password }, await fixture('locked.pdf'));
        expect([answer.status, answer.fileName]).to.deep.equal([200, 'locked_password_removed.pdf']);
        expect(Buffer.from(answer.bytes).includes('/Encrypt')).to.equal(false);
        await expectPdf(answer.bytes)
          .pages(1)
          .text(1, /Locked page/);
      }
    });

    it('refuses a wrong and a missing password with the words that clients compare', async () => {
      for (const params of [
        {},
        { password: '' },
        { password: 'wrong' },
        { password: 'user ' },
        { password: 'User' },
        { password: 'p'.repeat(4096) },
        { password: 'пароль' },
      ]) {
        const answer = await remove(params, await fixture('locked.pdf'));
        const { errorCode, detail, type, errors, hints } = answer.json<{
          errorCode: string;
          detail: string;
          type: string;
          errors: { pointer: string; detail: string }[];
          hints?: string[];
        }>();
        expect([answer.status, answer.code, errorCode, detail, type]).to.deep.equal([
          400,
          'PDF_ENCRYPTED',
          'E004',
          ASKED,
          '/errors/pdf-password',
        ]);
        expect(errors, params.password).to.deep.equal([
          {
            pointer: '/password',
            detail:
              (params.password ?? '') === ''
                ? 'is missing or empty, and the document needs a password'
                : 'does not open the document',
          },
        ]);
        expect(hints, 'no advice to do what was just done').to.equal(undefined);
      }
    });

    it('names the limit for passwords that no document has', async () => {
      const answer = await remove({ password: 'Geheim'.repeat(2000) }, await fixture('locked.pdf'));
      expect(faults(answer)).to.deep.equal(['400', '/password']);
      expect(Buffer.from(answer.bytes).toString()).to.contain('4096').and.not.contain('Geheim');
    });

    it('removes restrictions from a document with an empty password, whatever password is sent', async () => {
      for (const params of [{}, { password: 'owner' }, { password: 'any' }]) {
        const answer = await remove(params, await fixture('restricted.pdf'));
        expect(Buffer.from(answer.bytes).includes('/Encrypt')).to.equal(false);
        await expectPdf(answer.bytes)
          .pages(1)
          .text(1, /Restricted page/);
      }
    });

    it('rewrites a document that is not encrypted', async () => {
      for (const params of [{}, { password: 'any' }]) {
        const answer = await remove(params, plain);
        expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_password_removed.pdf']);
        await expectPdf(answer.bytes).pages(2).text(1, /first/);
      }
    });

    it('removes every type of encryption, and returns the same document', async () => {
      const before = Buffer.from((await remove({}, plain)).bytes);
      for (const keyLength of [40, 128, 256])
        for (const encryptMetadata of keyLength === 40 ? [true] : [true, false]) {
          const locked = await add({ password: 'open', keyLength, encryptMetadata, preventPrinting: true });
          const answer = await remove({ password: 'open' }, { name: 'report.pdf', bytes: locked.bytes });
          expect(answer.bytes.length, String(keyLength)).to.be.closeTo(before.length, 120);
          await expectPdf(answer.bytes)
            .pages(2)
            .text(1, /first/)
            .text(2, /second/);
        }
    });

    it('refuses a document whose signature is only visible with the password', async function () {
      if (!hasQpdf) this.skip();
      const folder = await mkdtemp(join(tmpdir(), 'quire-signed-'));
      const [from, to] = [join(folder, 'a.pdf'), join(folder, 'b.pdf')];
      await writeFile(from, (await fixture('signed.pdf', 'signing')).bytes);
      spawnSync('qpdf', ['--encrypt', 'user', 'owner', '256', '--', from, to]);
      const signed = { name: 'signed.pdf', bytes: new Uint8Array(await readFile(to)) };
      await rm(folder, { recursive: true });
      expect((await remove({}, signed)).code).to.equal('PDF_ENCRYPTED');
      const answer = await remove({ password: 'user' }, signed);
      expect([answer.status, answer.code]).to.deep.equal([409, 'PDF_SIGNED']);
    });
  });

  describe('in a pipeline', () => {
    it('can be set in the last step, or removed again with the password', async () => {
      const last = await pipeline([
        ['general/rotate-pdf', { angle: 90 }],
        ['security/add-password', { password: 'open' }],
      ]);
      expect(last.status).to.equal(200);
      await expectPdf(new Uint8Array(await last.arrayBuffer()), 'open').pages(2);
      const undone = await pipeline([
        ['security/add-password', { password: 'open' }],
        ['security/remove-password', { password: 'open' }],
        ['general/rotate-pdf', { angle: 90 }],
      ]);
      expect(undone.status).to.equal(200);
      await expectPdf(new Uint8Array(await undone.arrayBuffer())).pages(2);
      const opens = await pipeline([
        ['security/add-password', { ownerPassword: 'owner', preventPrinting: true }],
        ['general/rotate-pdf', { angle: 90 }],
      ]);
      expect(opens.status).to.equal(200);
      if (hasQpdf)
        expect(
          await encryptionReport({ bytes: new Uint8Array(await opens.arrayBuffer()) } as OperationAnswer),
        ).to.contain('print low resolution: not allowed');
    });

    it('are refused before the run if a later step must open the document', async () => {
      for (const steps of [
        [
          ['security/add-password', { password: 'open' }],
          ['general/rotate-pdf', { angle: 90 }],
        ],
        [
          ['security/add-password', { password: 'open' }],
          ['filter/filter-file-size', { fileSize: '1', comparator: 'Greater' }],
          ['general/rotate-pdf', { angle: 90 }],
        ],
        [
          ['security/add-password', { password: 'open' }],
          ['security/remove-password', {}],
        ],
      ] as const) {
        const body = (await (await pipeline(steps, 'validate')).json()) as {
          errors?: { pointer: string; detail: string }[];
        };
        expect(JSON.stringify(body))
          .to.contain(`/pipeline/${steps.length - 1}/operation`)
          .and.contain('can never open its input: step 0 locks it with a password');
        const run = await pipeline(steps);
        expect(run.status).to.equal(400);
      }
    });

    it('fail the step if they are wrong, naming its number and the file', async () => {
      const answer = await pipeline([
        ['security/add-password', { password: 'open' }],
        ['security/remove-password', { password: 'shut' }],
      ]);
      const body = (await answer.json()) as { code: string; detail: string };
      expect([answer.status, body.code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
      expect(body.detail).to.equal(`Step 1 (/api/v1/security/remove-password) failed on report.pdf: ${ASKED}`);
    });
  });
});
