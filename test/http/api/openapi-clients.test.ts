import SwaggerParser from '@apidevtools/swagger-parser';
import { createTestServer, type QuireServer } from '@quire/core';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { join } from 'node:path';
import { firstWords } from '../../kit/generators/first-words.js';
import { filesBelow } from '../support/server.js';

interface Answer {
  readonly content?: Readonly<Record<string, object>>;
}

interface Call {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties: Record<string, object> } }>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: object };
}

const none: Call = { responses: {} };

describe('The OpenAPI document for generators of clients', function () {
  this.timeout(90_000);
  let server: QuireServer;
  let url: string;
  let served: ApiDocument;
  let document: ApiDocument;

  before(async () => {
    server = await createTestServer({ settings: { system: { enableUrlToPDF: true } } });
    url = await server.start();
    served = (await (await fetch(`${url}/v1/api-docs`)).json()) as ApiDocument;
    document = (await SwaggerParser.dereference(structuredClone(served) as never)) as unknown as ApiDocument;
  });
  after(() => server.stop());

  it('names calls in lower camel case, with a verb first and no word twice', () => {
    const ids = Object.values(served.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId = '' }) => operationId),
    );
    for (const id of ids) {
      expect(id).to.match(/^[a-z][a-zA-Z0-9]*$/);
      // `PdfA` is one word.
      const words = id.split(/(?=[A-Z][a-z])/).map((word) => word.toLowerCase());
      expect(
        [...firstWords],
        `${id} begins with a verb (a new one belongs in test/kit/generators/first-words.ts)`,
      ).to.include(words[0]);
      expect(new Set(words).size, `${id} repeats a word`).to.equal(words.length);
    }
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('has no schemas that generated constructors collide with', () => {
    const names = Object.keys(served.components.schemas);
    // In Go `NewThing` is the function that makes a `Thing`.
    expect(names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New'))).to.deep.equal(
      [],
    );
  });

  it('says of every time in an answer that it has a time zone', async () => {
    const schemas = served.components.schemas as Readonly<Record<string, { properties?: Record<string, object> }>>;
    for (const [name, member] of [
      ['Job', 'createdAt'],
      ['StoredFile', 'createdAt'],
      ['ShareLink', 'expiresAt'],
      ['OpenInvite', 'expiresAt'],
    ] as const)
      expect(schemas[name]?.properties?.[member], `${name}.${member}`).to.have.property('format', 'date-time');
    const form = new FormData();
    form.append('fileInput', new Blob([new Uint8Array(await makePdf({ pages: 1 }))]), 'one.pdf');
    const headers = { prefer: 'respond-async' };
    const started = await fetch(`${url}/api/v1/general/rotate-pdf`, { method: 'POST', body: form, headers });
    const { jobId } = (await started.json()) as { jobId: string };
    const job = (await (await fetch(`${url}/api/v1/general/job/${jobId}`)).json()) as { createdAt: string };
    expect(job.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
  });

  it('starts a job with 202 only, so that no client reads a file as JSON', () => {
    const { responses, parameters = [] } = document.paths['/api/v1/general/rotate-pdf']?.['post'] ?? none;
    expect(Object.keys(responses['200']?.content ?? {})).to.deep.equal(['application/pdf']);
    expect(Object.keys(responses['202']?.content ?? {})).to.deep.equal(['application/json']);
    expect(parameters.map(({ name }) => name)).to.not.include('async');
    const answers = Object.values(served.paths).flatMap((methods) =>
      Object.values(methods).map((call) => JSON.stringify(call.responses['200'] ?? {})),
    );
    expect(answers.filter((answer) => answer.includes('schemas/JobStarted'))).to.deep.equal([]);
  });

  it('has no patterns with classes that JSON Schema does not know, and no defaults of another type', () => {
    const text = JSON.stringify(served);
    expect(text).to.not.match(/"pattern":"[^"]*\\\\p\{/i);
    expect(text).to.not.include('"default":null');
    expect(text).to.not.include('"anyOf":[{}');
  });

  it('describes the JSON in the text of a pipeline, and the data of events', () => {
    const form = document.paths['/api/v1/pipeline/handleData']?.['post']?.requestBody?.content['multipart/form-data'];
    expect(form?.schema.properties['json']).to.have.nested.property('x-contentSchema.properties.pipeline');
    const data = (path: string, method: string): unknown =>
      document.paths[`/api/v1/${path}`]?.[method]?.responses['200']?.content?.['text/event-stream'];
    expect(data('general/job/{jobId}/events', 'get')).to.have.nested.property('schema.properties.jobId');
    expect(data('admin/watched-folders/events', 'get')).to.have.nested.property('schema.properties.folders');
    expect(data('ai/orchestrate/stream', 'post')).to.have.nested.property('schema.anyOf[0].properties.phase');
  });

  it('is also OpenAPI 3.1 without nullable types and formats of files', async () => {
    const newer = (await (await fetch(`${url}/v1/api-docs?version=3.1`)).json()) as ApiDocument;
    expect(newer.openapi).to.equal('3.1.0');
    await SwaggerParser.validate(structuredClone(newer) as never);
    const text = JSON.stringify(newer);
    expect(text).to.not.include('"nullable":true');
    expect(text).to.not.include('"format":"binary"');
    expect(text).to.include('"contentSchema"');
    expect(Object.keys(newer.paths)).to.deep.equal(Object.keys(served.paths));
  });

  it('is, as the build prepared it, what the routes declare', async () => {
    const text = await (await fetch(`${url}/v1/api-docs`)).text();
    expect(text === JSON.stringify(await server.documentSource().document()), 'byte for byte').to.equal(true);
  });

  it('is, as a child process makes it for other plugins and another path, what the routes declare', async () => {
    // Else it would find the documents of other tests.
    const shared = process.env['QUIRE_TEST_DOCUMENTS'];
    delete process.env['QUIRE_TEST_DOCUMENTS'];
    const other = await createTestServer({
      plugins: ['@quire/plugin-filter'],
      settings: {
        system: { rootUriPath: '/tools' },
        security: { enableLogin: false },
        operations: { 'filter/filter-page-count': { timeout: '9s' } },
      },
    });
    try {
      const text = await (await fetch(`${await other.start()}/v1/api-docs`)).text();
      // Only a document of a child process is kept for the next start.
      expect(filesBelow(join(other.basePath, 'tmp', 'api-docs'))).to.have.length(1);
      const again = await other.documentSource().document();
      expect(JSON.parse(text)).to.have.nested.property('servers[0].url', '/tools');
      expect(Object.keys((JSON.parse(text) as ApiDocument).paths)).to.deep.equal(Object.keys(again.paths));
      expect(
        JSON.stringify((JSON.parse(text) as ApiDocument).components) === JSON.stringify(again.components),
      ).to.equal(true);
    } finally {
      await other.stop();
      if (shared !== undefined) process.env['QUIRE_TEST_DOCUMENTS'] = shared;
    }
  });
});
