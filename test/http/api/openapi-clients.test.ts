import SwaggerParser from '@apidevtools/swagger-parser';
import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';

interface Answer {
  readonly content?: Readonly<Record<string, object>>;
}

interface Call {
  readonly parameters?: readonly { readonly name?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties: Record<string, object> } }>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: object;
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
    expect(
      document.paths['/api/v1/general/job/{jobId}/events']?.['get']?.responses['200']?.content?.['text/event-stream'],
    ).to.have.nested.property('schema.properties.jobId');
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
    const other = await createTestServer({
      plugins: ['@quire/plugin-filter'],
      settings: { system: { rootUriPath: '/tools' }, security: { enableLogin: false } },
    });
    try {
      const text = await (await fetch(`${await other.start()}/v1/api-docs`)).text();
      const again = await other.documentSource().document();
      expect(JSON.parse(text)).to.have.nested.property('servers[0].url', '/tools');
      expect(Object.keys((JSON.parse(text) as ApiDocument).paths)).to.deep.equal(Object.keys(again.paths));
      expect(
        JSON.stringify((JSON.parse(text) as ApiDocument).components) === JSON.stringify(again.components),
      ).to.equal(true);
    } finally {
      await other.stop();
    }
  });
});
