import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { callOperation, makePdf, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { onePage, type InfoResult } from '../functions/info-files.js';
import { richDocument } from '../functions/rich-document.js';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));

describe('get-info-on-pdf over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-security'] });
  const call = (file: { name: string; bytes: Uint8Array }): Promise<OperationAnswer> =>
    callOperation(server.url, { path: 'security/get-info-on-pdf', files: [file] });

  it('returns a file named response.json, indented and in UTF-8', async () => {
    const answer = await call({ name: 'rich.pdf', bytes: richDocument() });
    expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'response.json',
      'application/json',
    ]);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes);
    expect(text)
      .to.match(/^\{\n {2}"Metadata": \{\n {4}"/)
      .and.to.include('"Author": "É"');
    expect(answer.headers.get('x-tool-report')).to.equal(null);
    const info = JSON.parse(text) as InfoResult;
    expect(info.BasicInfo['FileSizeInBytes']).to.equal(richDocument().length);
    expect(Object.keys(info.PerPageInfo)).to.deep.equal(['Page 1', 'Page 2', 'Page 3']);
  });

  it('reports encryption and restrictions of a file that opens without a password', async () => {
    const info = (await call(await fixture('restricted.pdf'))).json<InfoResult>();
    expect(info.Encryption).to.deep.equal({
      IsEncrypted: true,
      EncryptionAlgorithm: 'Standard',
      KeyLength: 128,
      Version: 2,
      Revision: 3,
    });
    expect(info.Compliancy['IsPDF/SECCompliant']).to.equal(false);
    expect(
      Object.entries(info.Permissions)
        .filter(([, value]) => value === 'Not Allowed')
        .map(([key]) => key),
    ).to.deep.equal(['Extracting Content', 'Printing']);
    expect(info.SummaryData).to.deep.include({
      encrypted: true,
      restrictedPermissions: ['content extraction', 'printing'],
      restrictedPermissionsCount: 2,
    });
  });

  it('refuses encrypted and damaged files and other file types', async () => {
    const answers = [
      await call(await fixture('locked.pdf')),
      await call(await fixture('header-only.pdf')),
      await call({ name: 'empty.pdf', bytes: new Uint8Array() }),
      await call(await fixture('logo.png')),
    ];
    expect(answers.map(({ status, code }) => [status, code])).to.deep.equal([
      [400, 'PDF_ENCRYPTED'],
      [400, 'PDF_DAMAGED'],
      [400, 'INPUT_FILE_EMPTY'],
      [415, 'INPUT_KIND'],
    ]);
    const none = await callOperation(server.url, { path: 'security/get-info-on-pdf', files: [] });
    expect([none.status, none.code]).to.deep.equal([400, 'INPUT_FILE_MISSING']);
  });

  it('reports incomplete sections in X-Tool-Report', async () => {
    const more = Array.from({ length: 100 }, (_none, n) => `<</S/Div/K[${n + 6} 0 R]>>`);
    const answer = await call({ name: 'deep.pdf', bytes: onePage({ catalog: '/StructTreeRoot<</K 5 0 R>>', more }) });
    expect([answer.status, JSON.parse(answer.headers.get('x-tool-report') ?? '{}')]).to.deep.equal([
      200,
      { cut: 'StructureTree' },
    ]);
  });

  it('checks a document that declares a standard', async function checks() {
    if (!has('verapdf')) this.skip();
    const [right, wrong] = [
      (await call(await fixture('pdfa-2b.pdf'))).json<InfoResult>(),
      (await call(await fixture('declares-2b-and-ua1.pdf'))).json<InfoResult>(),
    ];
    expect(right.Compliancy).to.deep.include({
      'IsPDF/ACompliant': true,
      'IsPDF/UACompliant': false,
      'IsPDF/ECompliant': false,
      'IsPDF/VTCompliant': false,
      'IsPDF/BCompliant': true,
      'PDF/AConformanceLevel': '2b',
      '2b': true,
    });
    expect(right.SummaryData['Compliance']).to.deep.equal([
      { Standard: '2b', Compliant: true, Summary: 'PDF/A-2b compliant' },
    ]);
    expect(wrong.Compliancy)
      .to.deep.include({
        'IsPDF/ACompliant': false,
        'IsPDF/UACompliant': false,
        'IsPDF/BCompliant': false,
        '2b': false,
        ua1: false,
      })
      .and.not.to.have.property('PDF/AConformanceLevel');
  });

  it('leaves out what was not checked, and gives the reason', async () => {
    const bare = await createTestServer({
      plugins: ['@quire/plugin-security'],
      settings: { system: { customPaths: { operations: { verapdf: '/nowhere/verapdf' } } } },
    });
    try {
      const url = await bare.start();
      const declared = await callOperation(url, {
        path: 'security/get-info-on-pdf',
        files: [await fixture('pdfa-2b.pdf')],
      });
      expect([declared.status, Object.keys(declared.json<InfoResult>().Compliancy)]).to.deep.equal([
        200,
        ['IsPDF/VTCompliant', 'IsPDF/SECCompliant'],
      ]);
      expect(declared.json<InfoResult>().SummaryData).to.deep.equal({});
      expect(JSON.parse(declared.headers.get('x-tool-report') ?? '{}')).to.deep.equal({
        unchecked: 'veraPDF is not installed',
      });
      const plain = await callOperation(url, {
        path: 'security/get-info-on-pdf',
        files: [await fixture('rotated-and-cropped.pdf')],
      });
      expect([plain.json<InfoResult>().Compliancy['not-pdfa'], plain.headers.get('x-tool-report')]).to.deep.equal([
        false,
        null,
      ]);
    } finally {
      await bare.stop();
    }
  });

  it('works as a step of a pipeline', async () => {
    const json = JSON.stringify({ pipeline: [{ operation: '/api/v1/security/get-info-on-pdf', parameters: {} }] });
    const answer = await callOperation(server.url, {
      path: '/api/v1/pipeline/handleData',
      files: [{ name: 'a.pdf', bytes: await makePdf({ pages: 1 }) }],
      params: { json },
    });
    expect(answer.status).to.equal(200);
    expect(answer.json<InfoResult>().BasicInfo['Number of pages']).to.equal(1);
  });
});
