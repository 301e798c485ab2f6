import { createRequire } from 'node:module';
import { createTestServer } from '@quire/core';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { bossName, bossPassword, sessionOf } from '../support/login.js';

interface Described {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly post: Call }>>;
}

interface Call {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly object[];
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Form }>> };
  readonly responses: Readonly<Record<string, object>>;
}

interface Form {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const pipeline = (name: string, title: string) => ({
  name,
  title,
  definition: {
    pipeline: [90, 180].map((angle) => ({ operation: '/api/v1/general/rotate-pdf', parameters: { angle } })),
  },
  inputs: [
    { name: 'turn', field: '/pipeline/0/parameters/angle', label: 'Turn by' },
    { name: 'again', field: '/pipeline/1/parameters/angle', required: true },
  ],
});

async function save(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await fetch(`${url}/api/v1/pipelines`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).to.equal(201);
}

async function documentOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Described> {
  return (await (await fetch(`${url}/v1/api-docs/saved`, { headers })).json()) as Described;
}

describe('The API document of saved pipelines', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-general'] });

  it('is empty before any is saved', async () => {
    expect((await documentOf(server.url)).paths).to.deep.equal({});
  });

  it('describes each as a call of its own', async () => {
    await save(server.url, pipeline('turn-pages', 'Turn pages'));
    const document = await documentOf(server.url);
    expect(document.openapi).to.equal('3.1.0');
    expect(Object.keys(document.paths)).to.deep.equal(['/api/v1/tools/turn-pages']);
    const call = document.paths['/api/v1/tools/turn-pages']!.post;
    expect([call.operationId, call.summary]).to.deep.equal(['turnPages', 'Turn pages']);
    const { properties, required } = call.requestBody.content['multipart/form-data']!.schema;
    expect(properties).to.include.keys('fileInput', 'turn', 'again');
    expect(properties['turn']).to.deep.include({ default: 90, type: 'integer' });
    expect(required).to.deep.equal(['fileInput', 'again']);
    expect(call.responses).to.include.keys('200', '202', '204', '400', '401');
    expect(call.parameters.length).to.be.greaterThan(0);
  });

  it('refers only to what it contains, and names no parameter of the address', async () => {
    const text = JSON.stringify(await documentOf(server.url));
    const { components } = JSON.parse(text) as { components: Record<string, Record<string, object>> };
    const references = [...text.matchAll(/#\/components\/(\w+)\/([^"/]+)"/g)];
    expect(references.length).to.be.greaterThan(5);
    for (const [whole, kind = '', name = ''] of references)
      expect(components[kind]?.[name], whole).not.to.equal(undefined);
    expect(text).not.to.contain('"in":"path"');
  });

  it('is accepted by a parser of OpenAPI documents', async () => {
    const parser = createRequire(import.meta.url)('@apidevtools/swagger-parser') as {
      validate(document: object): Promise<object>;
    };
    await parser.validate(await documentOf(server.url));
  });

  it('is offered by Swagger UI', async () => {
    const start = await (await fetch(`${server.url}/swagger-assets/start.js`)).text();
    expect(start).to.contain('{"url":"../v1/api-docs/saved","name":"Saved pipelines"}');
  });
});

describe('The API document of saved pipelines with login on', function () {
  this.timeout(120_000);

  it('contains what its caller may run, and needs a key', async () => {
    const server = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: { security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } } },
    });
    try {
      const url = await server.start();
      const headers = await sessionOf(server);
      await save(url, pipeline('turn-pages', 'Turn pages'), headers);
      expect((await fetch(`${url}/v1/api-docs/saved`)).status).to.equal(401);
      expect(Object.keys((await documentOf(url, headers)).paths)).to.deep.equal(['/api/v1/tools/turn-pages']);
    } finally {
      await server.stop();
    }
  });
});
