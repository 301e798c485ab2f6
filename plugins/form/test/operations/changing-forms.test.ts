import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOperation, hostileFiles, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { openPdf } from '@quire/document/file/open';
import { readForm } from '@quire/document/forms';
import { withDocument } from '@quire/document/engines/pdfium';
import { openLazily } from '@quire/document/file/reader';
import { reviewSignatures } from '@quire/document/signatures';
import { expect } from 'chai';
import { PDFDocument, PDFHexString, PDFName } from 'pdf-lib';
import { fillFile } from '../../src/functions/fill-file.js';

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;
const faults = (answer: OperationAnswer): unknown[] => [
  answer.status,
  ...(answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer),
];
const values = async (bytes: Uint8Array): Promise<Record<string, string | undefined>> =>
  Object.fromEntries(
    (readForm(await openPdf(bytes))?.fields ?? []).map(({ name, values: held }) => [name, held?.join('|')]),
  );

describe('Forms changed over HTTP', function suite() {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-form', '@quire/plugin-signing'] });
  const call = async (
    path: string,
    params: Record<string, unknown>,
    name = 'application.pdf',
    more: object = {},
  ): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: `form/${path}`,
      parts: { file: { name, bytes: await fixture(name) }, ...more },
      params,
    });
  const all = {
    'person.name': 'ديما Ünal',
    dateOfBirth: '1.5.1980',
    'person.town': 'berlin',
    languages: ['French, spoken', 'german'],
    newsletter: false,
    terms: 'yes',
    payment: 'card',
    remarks: 'one\ntwo',
    'office.number': 7,
    twice: 'both',
    reset: 'x',
    nobody: 1,
  };
  const expected = {
    'person.name': 'ديما Ünal',
    'person.dateOfBirth': '1.5.1980',
    'person.town': 'B',
    languages: 'French, spoken|German',
    newsletter: 'Off',
    terms: 'Yes',
    payment: 'card',
    remarks: 'one\ntwo',
    'office.number': '7',
    twice: 'both',
  };

  it('are filled in with a warning that names the fields which the form does not have', async () => {
    const warning = async (data: object): Promise<string> =>
      decodeURIComponent((await call('fill', { data: JSON.stringify(data) })).headers.get('x-warnings') ?? '');
    expect(await warning({ 'person.name': 'Ada', reset: 'x' })).to.equal('');
    expect(await warning({ 'person.name': 'Ada', nobody: 1 })).to.match(/no field .*nobody.*form\/fields/);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`none${i}`, 'x']));
    const bounded = await warning(many);
    expect(bounded).to.match(/none0.*none4.*and 25 more/);
    expect(bounded).not.to.include('none5');
  });

  it('are filled in from a field, a file and a part of JSON alike, appended to what was sent', async () => {
    const source = await fixture('application.pdf');
    const json = JSON.stringify(all);
    const field = await call('fill', { data: json });
    expect([field.status, field.fileName, report(field)]).to.deep.equal([
      200,
      'application_filled.pdf',
      { filled: 10, unknown: ['nobody'], ignored: ['reset'] },
    ]);
    expect(await values(field.bytes)).to.deep.include(expected);
    expect(Buffer.from(field.bytes).subarray(0, source.length).equals(source)).to.equal(true);
    const file = await call('fill', {}, 'application.pdf', {
      data: { name: 'data.json', bytes: Buffer.from(`\ufeff${json}`) },
    });
    const boundary = 'part-of-json';
    const head = (disposition: string, type: string): string =>
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(
        `${head('name="data"', 'application/json; charset=UTF-8')}${json}\r\n` +
          `${head('name="file"; filename="a.pdf"', 'application/pdf')}`,
      ),
      source,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const part = await fetch(`${server.url}/api/v1/form/fill`, {
      method: 'POST',
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    for (const bytes of [file.bytes, new Uint8Array(await part.arrayBuffer())])
      expect(await values(bytes)).to.deep.include(expected);
  });

  it('take the answer of form/fields back as it is', async () => {
    const listed = await call('fields', {});
    const filled = await call('fill', { data: Buffer.from(listed.bytes).toString('utf8') });
    expect(filled.status).to.equal(200);
    const [before, after] = [await values(await fixture('application.pdf')), await values(filled.bytes)];
    // Its template says so of lists of several, and of boxes whose state has another name.
    expect({ ...after, languages: undefined }).to.deep.equal({
      ...before,
      languages: undefined,
      'person.dateOfBirth': '',
      'turned.right': '',
      outside: '',
    });
  });

  it('are left as they are without data, and refused where there is none', async () => {
    for (const data of [undefined, '', ' ', 'null', '{}']) {
      const answer = await call('fill', { data });
      expect([answer.status, report(answer)['filled']], data).to.deep.equal([200, 0]);
    }
    expect((await call('fill', { data: '{}' }, 'letter.pdf')).code).to.equal('PDF_NO_FORM');
  });

  it('are refused values with the place of each', async () => {
    expect(faults(await call('fill', { data: '{"payment":"cash","person.name":"x"}' }))).to.deep.equal([
      400,
      '/data/payment',
    ]);
    expect(faults(await call('fill', { data: '{payment:1}' }))).to.deep.equal([400, '/data']);
    expect(faults(await call('fill', { data: '["x"]' }))[0]).to.equal(400);
    expect(faults(await call('modify-fields', { updates: '[{"targetName":"payment","name":"a.b"}]' }))).to.deep.equal([
      400,
      '/updates/0/name',
    ]);
    for (const [path, field] of [
      ['modify-fields', 'updates'],
      ['delete-fields', 'names'],
    ] as const) {
      for (const value of [undefined, '', '[]', 'null', '7', '[x'])
        expect(faults(await call(path, { [field]: value })).slice(0, 1), `${path} ${value}`).to.deep.equal([400]);
    }
    expect(JSON.stringify((await call('delete-fields', {})).json())).to.contain('error.dataRequired');
  });

  it('become page content when asked, and pictures where that cannot be done', async () => {
    const flat = await call('fill', { data: JSON.stringify(all), flatten: 'true' });
    expect(flat.status).to.equal(200);
    expect((await PDFDocument.load(flat.bytes)).catalog.has(PDFName.of('AcroForm'))).to.equal(false);
    expect(await withDocument(flat.bytes, {}, (document) => document.pageText(0)))
      .to.contain('1.5.1980')
      .and.contain('French, spoken');
    const folder = await mkdtemp(join(tmpdir(), 'quire-fill-'));
    try {
      await writeFile(join(folder, 'in.pdf'), await fixture('application.pdf'));
      const { path, facts } = await fillFile(join(folder, 'in.pdf'), folder, {
        data: '{"remarks":"seen"}',
        flatten: true,
        mode: 'rewrite',
        modified: new Date(0),
        maxDpi: 72,
        signal: new AbortController().signal,
        progress: () => undefined,
        flattenWith: () => {
          throw new TypeError('odd');
        },
      });
      expect(facts).to.deep.equal({ filled: 1, rasterised: true });
      const pictures = await PDFDocument.load(await readFile(path));
      expect([pictures.getPageCount(), pictures.catalog.has(PDFName.of('AcroForm'))]).to.deep.equal([2, false]);
      expect((await withDocument(await readFile(path), {}, (document) => document.pageText(0))).trim()).to.equal('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('lose XFA with what is filled in, and say so', async () => {
    const hybrid = await call('fill', { data: '{"remarks":"x"}' }, 'hybrid-xfa.pdf');
    expect([hybrid.status, report(hybrid)]).to.deep.equal([200, { filled: 1, xfa: 'removed' }]);
  });

  it('get other properties, and lose fields, without a trace of what they held', async () => {
    const changed = await call('modify-fields', {
      updates:
        '[{"targetName":"town","name":"city","options":["Rome"],"defaultValue":"Rome"},{"targetName":"twice",' +
        '"type":"checkbox"},{"targetName":"nobody"}]',
    });
    expect([changed.status, changed.fileName, report(changed)]).to.deep.equal([
      200,
      'application_updated.pdf',
      { changed: 2, unknown: ['nobody'] },
    ]);
    expect(await values(changed.bytes)).to.deep.include({ 'person.city': 'Rome', twice: 'Off' });
    const fewer = await call('delete-fields', { names: '{"fields":[{"name":"person"},"remarks"]}' });
    expect([fewer.status, report(fewer)]).to.deep.equal([
      200,
      { deleted: 4, deletedNames: ['person.name', 'person.dateOfBirth', 'person.town', 'remarks'] },
    ]);
    expect(Object.keys(await values(fewer.bytes))).to.not.include.members(['person.name', 'remarks']);
    const written = async (bytes: Uint8Array): Promise<string> =>
      (await PDFDocument.load(bytes)).context
        .enumerateIndirectObjects()
        .map(([, object]) => object.toString())
        .join();
    const held = PDFHexString.fromText('Grüße, Ada').toString();
    expect(
      [await written(changed.bytes), await written(fewer.bytes)].map((objects) => objects.includes(held)),
    ).to.deep.equal([true, false]);
    expect((await call('delete-fields', { names: '["x"]' }, 'letter.pdf')).status).to.equal(200);
  });

  it('stay certified where the certification lets them be filled in, and are refused where it does not', async () => {
    const signer = await readFile(new URL('../../../signing/fixtures/signer.p12', import.meta.url));
    const certified = async (certificationLevel: number): Promise<Uint8Array> =>
      (
        await callOperation(server.url, {
          path: 'security/cert-sign',
          files: [{ name: 'application.pdf', bytes: await fixture('application.pdf') }],
          parts: { p12File: { name: 'signer.p12', bytes: signer } },
          params: { certType: 'PKCS12', password: 'secret', certificationLevel },
        })
      ).bytes;
    const changed = async (
      path: string,
      bytes: Uint8Array,
      params: Record<string, unknown>,
    ): Promise<OperationAnswer> =>
      callOperation(server.url, { path: `form/${path}`, parts: { file: { name: 'signed.pdf', bytes } }, params });
    const data = JSON.stringify(all);
    const [two, one] = [await certified(2), await certified(1)];
    const filled = await changed('fill', two, { data });
    expect([filled.status, Buffer.from(filled.bytes).subarray(0, two.length).equals(two)]).to.deep.equal([200, true]);
    const [review] = await reviewSignatures(filled.bytes, openLazily(filled.bytes));
    expect([review!.integrity.holds, review!.changes!.state]).to.deep.equal([true, 'allowed']);
    expect(await values(filled.bytes)).to.deep.include(expected);
    for (const answer of [
      await changed('fill', one, { data }),
      await changed('fill', two, { data, flatten: true }),
      await changed('modify-fields', two, { updates: '[{"targetName":"town","label":"x"}]' }),
      await changed('delete-fields', two, { names: '["town"]' }),
    ]) {
      expect([answer.status, answer.code]).to.deep.equal([409, 'PDF_SIGNED']);
    }
  });

  it('end damaged and locked documents with what is wrong', async () => {
    const locked = hostileFiles().find(({ name }) => name === 'locked.pdf')!.bytes;
    for (const [path, params] of [
      ['fill', {}],
      ['modify-fields', { updates: '[{"targetName":"a"}]' }],
      ['delete-fields', { names: '["a"]' }],
    ] as const) {
      for (const [bytes, code] of [
        [await fixture('broken.pdf'), 'PDF_DAMAGED'],
        [locked, 'PDF_ENCRYPTED'],
      ] as const) {
        const answer = await callOperation(server.url, {
          path: `form/${path}`,
          parts: { file: { name: 'any.pdf', bytes } },
          params,
        });
        expect([answer.status, answer.code], path).to.deep.equal([400, code]);
      }
    }
  });
});
