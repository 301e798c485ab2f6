import { createTestServer, type QuireServer } from '@quire/core';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect } from 'chai';

interface Described {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

describe('The documents of Swagger UI', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;

  before(async () => {
    server = await createTestServer();
    url = `${await server.start()}/v1/api-docs`;
  });
  after(() => server.stop());

  const documentOf = async (path: string): Promise<Described> => (await (await fetch(url + path)).json()) as Described;
  const callsOf = ({ paths }: Described): string[] =>
    Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));

  it('have every call of the whole document once, tools in the first and the rest in the second', async () => {
    // The first request makes the whole document.
    const tools = await documentOf('/tools');
    const administration = await documentOf('/administration');
    const whole = await documentOf('');
    expect([...callsOf(tools), ...callsOf(administration)].sort()).to.deep.equal(callsOf(whole).sort());
    expect(callsOf(tools)).to.include.members(['post /api/v1/general/rotate-pdf', 'post /api/v1/pipeline/handleData']);
    expect(callsOf(administration)).to.include('post /api/v1/auth/login');
    expect(Object.keys(tools.components.schemas).length).to.be.lessThan(Object.keys(whole.components.schemas).length);
  });

  it('list the categories of tools in the order of the console, and pipelines after them', async () => {
    const catalog = (await (await fetch(url.replace('/v1/api-docs', '/api/v1/console/catalog'))).json()) as {
      readonly categories: readonly { readonly id: string }[];
    };
    const shown = catalog.categories.map(({ id }) => id);
    expect(shown.slice(0, 3)).to.deep.equal(['general', 'convert', 'security']);
    const { tags } = await documentOf('/tools');
    expect(tags.map(({ name }) => name)).to.deep.equal([...shown, 'pipeline', 'pipelines']);
  });

  it('are valid OpenAPI', async () => {
    for (const part of ['/tools', '/administration'])
      await SwaggerParser.validate((await documentOf(part)) as unknown as Parameters<typeof SwaggerParser.validate>[0]);
  });

  it('are compressed, and are not sent again while nothing has changed', async () => {
    const first = await fetch(`${url}/tools`, { headers: { 'Accept-Encoding': 'br' } });
    expect(first.headers.get('content-encoding')).to.equal('br');
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${url}/tools`, { headers: { 'Accept-Encoding': 'br', 'If-None-Match': etag } });
    expect(second.status).to.equal(304);
    expect(await second.text()).to.equal('');
    expect((await fetch(`${url}/nothing`)).status).to.equal(404);
  });
});
