import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';
import { readDocument, type ApiDocument } from './walk/api-document.js';
import { judge, makeCall } from './walk/make-call.js';
import { plannedCalls, type PlannedCall } from './walk/planned-calls.js';

describe('whoever knows only the API documentation', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let calls: PlannedCall[];

  before(async () => {
    // What is switched off has no place in the document.
    server = await createTestServer({ settings: { system: { enableUrlToPDF: true } } });
    url = await server.start();
    calls = plannedCalls(await readDocument(url));
  });
  after(() => server.stop());

  it('finds an example with its files for every operation', () => {
    for (const path of server.catalog.operations.keys()) {
      const made = calls.filter(({ name }) => name === `/api/v1/${path}`);
      expect(made, path).to.not.have.length(0);
      for (const { example, lacks } of made) expect(lacks, `${path} "${example}"`).to.equal(undefined);
    }
  });

  // npm run walk makes all calls; these are of every shape: one file, several, second files, lists, JSON in a field, answers in JSON, none at all, plain questions.
  for (const name of ['general/rotate-pdf', 'general/merge-pdfs', 'general/overlay-pdfs', 'security/redact-execute', 'security/add-watermark', 'misc/update-metadata', 'misc/add-attachments', 'docparse/fill-template', 'analysis/page-count', 'filter/filter-page-count', 'pipeline/validate', 'info/status', 'config/endpoint-enabled']) {
    it(`gets what was promised of ${name}`, async () => {
      const made = calls.filter((call) => call.name === `/api/v1/${name}`);
      expect(made).to.not.have.length(0);
      for (const call of made) expect(await makeCall(url, call)).to.deep.include({ verdict: 'well', note: '' });
    });
  }

  it('is served nothing but files of examples', async () => {
    for (const path of ['quire-plugin-general/../package.json', 'quire-plugin-general/%2e%2e/package.json', 'quire-plugin-general/nothing.pdf', 'nobody/two-pages.pdf']) expect((await fetch(`${url}/swagger-assets/examples/${path}`)).status, path).to.equal(404);
    const answer = await fetch(`${url}/swagger-assets/examples/quire-plugin-general/two-pages.pdf`);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')?.split(';')[0]]).to.deep.equal([200, 'application/octet-stream', 'attachment']);
  });

  it('is not told made-up values: what may stay empty has no example in a form, and what is needed has one', () => {
    const form = (document: ApiDocument, name: string) => document.paths[`/api/v1/${name}`]?.['post']?.requestBody?.content['multipart/form-data']?.schema?.properties ?? {};
    return readDocument(url).then((document) => {
      expect(form(document, 'misc/update-metadata')['author']).to.deep.include({ example: '' }).and.property('description').that.contains('Example: `Ada Lovelace`');
      expect(form(document, 'pipeline/validate')['json']?.example).to.contain('rotate-pdf');
      expect(JSON.stringify(document.components.parameters)).to.not.contain('"example"');
    });
  });

  it('would be told of a fault', () => {
    const call: PlannedCall = { method: 'POST', name: '/a', path: '/a', example: '', described: { responses: { 200: { description: 'well' }, 503: { description: '`PROGRAM_MISSING`: Program missing' } } }, fields: {} };
    expect(judge(call, { status: 400, code: 'INPUT_INVALID', length: 9 }).verdict).to.equal('fault');
    expect(judge(call, { status: 200, length: 0 }).verdict).to.equal('fault');
    expect(judge(call, { status: 503, code: 'SERVICE_NOT_SET_UP', length: 9 }).verdict).to.equal('fault');
    expect(judge(call, { status: 503, code: 'PROGRAM_MISSING', detail: 'gs', length: 9 })).to.deep.equal({ verdict: 'refused', note: 'gs' });
  });
});
