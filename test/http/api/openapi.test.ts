import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, readZip } from '@quire/plugin-kit';
import { errorRow, holds, fileReturns, type ErrorCode, type Example } from '@quire/registry';
import { expect } from 'chai';
import Joi from 'joi';
import { isNightly, sampleOf } from '../../suites/nightly.js';

interface DocumentedAnswer {
  description: string;
  content?: Record<string, object>;
  headers?: Record<string, { examples?: Record<string, { summary: string; value: string }> }>;
  links?: Record<
    string,
    { operationId: string; parameters?: Record<string, unknown>; 'x-requestBody'?: Record<string, unknown> }
  >;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  requestBody?: {
    content: Record<
      string,
      {
        schema: { properties: Record<string, { description?: string; format?: string }> };
        examples?: Record<string, unknown>;
      }
    >;
  };
  parameters?: { name?: string; in?: string }[];
  responses: Record<string, DocumentedAnswer>;
}

interface ApiDocument {
  openapi: string;
  info: { license?: { name: string } };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { securitySchemes: Record<string, { name: string }>; schemas: Record<string, object> };
}

describe('The OpenAPI document', () => {
  let server: QuireServer;
  let url: string;
  /** As served, and with every reference replaced by its target. */
  let served: ApiDocument;
  let document: ApiDocument;

  before(async function () {
    // Resolves the whole document.
    this.timeout(60_000);
    server = await createTestServer({
      settings: {
        'aiEngine.enabled': true,
        'aiEngine.url': 'http://127.0.0.1:9/',
        'system.enableUrlToPDF': true,
        'security.timestamp.defaultTsaUrl': 'http://127.0.0.1:9/',
      },
    });
    url = await server.start();
    served = (await (await fetch(`${url}/v1/api-docs`)).json()) as ApiDocument;
    document = (await SwaggerParser.dereference(structuredClone(served) as never)) as unknown as ApiDocument;
  });
  after(() => server.stop());

  it('passes a validator as OpenAPI 3', async () => {
    expect(document.openapi).to.match(/^3\.0\./);
    await SwaggerParser.validate(structuredClone(served) as never);
    const references = [...JSON.stringify(served).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? '',
    );
    expect(
      references.filter((reference) => !/^#\/components\/\w+\/[\w.-]+$/.test(reference)),
      'references to anything else than components',
    ).to.deep.equal([]);
    expect(
      Object.keys(served).filter((member) => member.startsWith('x-')),
      'internal members of the generator',
    ).to.deep.equal([]);
  });

  it('is generated once, and is not sent again to a client that has it', async () => {
    const other = await createTestServer({ plugins: ['@quire/plugin-filter'] });
    try {
      const address = `${await other.start()}/v1/api-docs`;
      const leaves = new AbortController();
      const left = fetch(address, { signal: leaves.signal }).catch(() => 'left');
      setTimeout(() => leaves.abort(), 20);
      await left;
      const answers = await Promise.all(Array.from({ length: 5 }, async () => fetch(address)));
      expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).to.have.property('size', 1);
      const [etag, ...others] = new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`));
      expect(others).to.deep.equal([]);
      expect(etag).to.match(/^200 "[0-9a-f]{32}-\w+"$/);
      const again = await fetch(address, { headers: { 'if-none-match': etag?.slice(4) ?? '' } });
      expect([again.status, await again.text()]).to.deep.equal([304, '']);
    } finally {
      await other.stop();
    }
  }).timeout(90_000);

  it('lists every operation and every endpoint of the catalogue', () => {
    for (const path of server.catalog.operations.keys())
      expect(document.paths[`/api/v1/${path}`], path).to.have.property('post');
    for (const { endpoint } of server.catalog.endpoints) {
      const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/v1/${endpoint.path}`;
      expect(document.paths[path], path).to.have.property(endpoint.method.toLowerCase());
    }
  });

  it('describes free-form objects as such, and gives its schemas valid names', () => {
    const schemaOf = (path: string): unknown =>
      (
        document.paths[path]?.['get']?.responses['200']?.content?.['application/json'] as
          | { schema?: unknown }
          | undefined
      )?.schema;
    expect(schemaOf('/api/v1/settings/get-endpoints-status')).to.deep.equal({
      type: 'object',
      additionalProperties: { type: 'boolean' },
    });
    const annotations = (
      document.paths['/api/v1/analysis/annotation-info']?.['post']?.responses['200']?.content?.['application/json'] as
        | { schema?: { properties?: Record<string, object> } }
        | undefined
    )?.schema;
    expect(annotations?.properties?.['typeBreakdown'], 'a described one')
      .to.deep.include({ type: 'object', additionalProperties: { type: 'integer', format: 'int64' } })
      .and.to.have.property('description');
    // Names of classes in generated clients: neither names of members nor sequence numbers, which would change with one
    // more endpoint.
    expect(
      Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]*(?:Pkcs11\w+)?$/.test(name)),
    ).to.deep.equal([]);
  });

  it('describes the JSON of results, and that a file of any type may be JSON of any shape', () => {
    type Schema = { format?: string; required?: string[] };
    const schemas = (path: string): Record<string, Schema | undefined> =>
      Object.fromEntries(
        Object.entries(document.paths[`/api/v1/${path}`]?.['post']?.responses['200']?.content ?? {}).map(
          ([type, media]) => [type, (media as { schema?: Schema }).schema],
        ),
      );
    const parsed = schemas('docparse/parse-document');
    expect(parsed['application/json']?.required).to.include('blocks');
    expect(parsed['text/markdown']?.format).to.equal('binary');
    const tables = schemas('docparse/extract-tables');
    expect([
      tables['application/json']?.required,
      tables['text/csv']?.format,
      tables['application/zip']?.format,
    ]).to.deep.equal([['documentName', 'mode', 'tables'], 'binary', 'binary']);
    for (const path of ['integration/external-api-call', 'filter/filter-file-size'])
      expect(schemas(path)['*/*']?.format, path).to.equal('binary');
  });

  it('describes each tag, tools first, and names the licence of the server', () => {
    const names = document.tags?.map(({ name }) => name) ?? [];
    expect(names.at(-1)).to.equal('user');
    expect(names.indexOf('admin')).to.be.greaterThan(names.indexOf('security'));
    expect(document.tags?.filter(({ description = '' }) => description === '').map(({ name }) => name)).to.deep.equal(
      [],
    );
    expect(document.info.license?.name).to.equal('MIT');
  });

  it('has no patterns that need a flag, which JSON Schema cannot express', () => {
    const schemas = [
      ...[...server.catalog.operations].map(([path, { schema }]) => [path, schema] as const),
      ...server.catalog.endpoints.flatMap(({ endpoint: { id, request } }) =>
        [request?.params, request?.query, request?.payload].flatMap((build) =>
          build === undefined ? [] : [[id, build(Joi)] as const],
        ),
      ),
    ];
    const flagged = (described: unknown): string[] =>
      typeof described !== 'object' || described === null
        ? []
        : Object.entries(described).flatMap(([name, value]) =>
            name === 'regex' && /\/[a-z]*i[a-z]*$/.test(String(value)) ? [String(value)] : flagged(value),
          );
    for (const [name, schema] of schemas) expect(flagged(schema.describe()), name).to.deep.equal([]);
  });

  it('describes every field, every file part, the answer and the errors of each operation', () => {
    for (const [path, { operation }] of server.catalog.operations) {
      const described = document.paths[`/api/v1/${path}`]?.['post'];
      const properties = described?.requestBody?.content['multipart/form-data']?.schema.properties ?? {};
      if (operation.accepts.length > 0) expect(properties['fileInput'], `${path} fileInput`).to.not.equal(undefined);
      else expect(properties, path).to.not.have.property('fileInput');
      for (const [name, property] of Object.entries(properties))
        expect(property.description ?? '', `${path} ${name}`).to.not.equal('');
      for (const { field } of operation.parts ?? []) expect(properties, path).to.have.property(field);
      expect(
        Object.keys(described?.requestBody?.content['multipart/form-data']?.examples ?? {}),
        path,
      ).to.not.have.length(0);
      expect(described?.responses['200']?.content, path).to.not.equal(undefined);
      expect(described?.responses['400']?.content, path).to.have.property('application/problem+json');
      expect(described?.responses, path).to.include.keys('401', '413', '415', '429', '504');
    }
  });

  it('marks the calls that become jobs, call back and can be repeated, and no others', () => {
    const of = (path: string, method: string): { headers: string[]; fields: string[]; codes: string[] } => {
      const described = served.paths[`/api/v1/${path}`]?.[method] as unknown as {
        parameters?: { $ref?: string }[];
        responses: object;
      } & NonNullable<ApiDocument['paths'][string]>[string];
      const fields = Object.keys(described.requestBody?.content['multipart/form-data']?.schema.properties ?? {});
      return {
        headers: (described.parameters ?? []).flatMap(({ $ref }) =>
          $ref === undefined ? [] : [$ref.replace('#/components/parameters/', '')],
        ),
        fields,
        codes: Object.keys(described.responses),
      };
    };
    const rotate = of('general/rotate-pdf', 'post');
    expect([
      rotate.headers,
      rotate.fields.includes('callbackUrl'),
      rotate.fields.includes('callbackSecret'),
    ]).to.deep.equal([['IdempotencyKey', 'Prefer'], true, true]);
    expect(rotate.codes).to.include.members(['202', '409', '422']);
    expect(of('pipeline/handleData', 'post'))
      .to.deep.include({ headers: ['IdempotencyKey', 'Prefer'] })
      .and.property('fields')
      .that.includes('callbackUrl');
    expect(of('general/job/{jobId}', 'get').headers).to.deep.equal(['PreferWait']);
    expect(of('info/uptime', 'get').headers).to.deep.equal([]);
    expect(document.paths['/api/v1/general/job/{jobId}/callbacks']).to.have.property('get');
  });

  it('has, for each refusal, an example problem document with its own code, status and text', () => {
    const problems = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .filter(([status]) => Number(status) >= 400)
          .map(([status, answer]) => [`${method} ${path} ${status}`, Number(status), answer] as const),
      ),
    );
    expect(problems.length).to.be.greaterThan(2000);
    for (const [label, status, { description, content }] of problems) {
      const { examples = {} } = (content?.['application/problem+json'] ?? {}) as {
        examples?: Record<string, { value: { status: number; code: ErrorCode; title: string; detail: string } }>;
      };
      // The codes in the description, one example each.
      expect(Object.keys(examples), label).to.deep.equal(
        [...description.matchAll(/`([A-Z_]+)`: /g)].map(([, code]) => code),
      );
      for (const [code, { value }] of Object.entries(examples)) {
        expect([value.code, value.status, value.title], label).to.deep.equal([
          code,
          status,
          errorRow(value.code).title,
        ]);
        expect(value.detail, label).to.not.match(/^$|\{\w+\}(?! *$)/);
      }
    }
  });

  it('links only to calls that exist, with values that they accept', () => {
    const calls = new Map(
      Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map((call) => [call.operationId, call] as const),
      ),
    );
    const links = [...calls.values()].flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap((answer) =>
        Object.values(answer.links ?? {}).map((link) => [operationId, link] as const),
      ),
    );
    expect(links.map(([from, { operationId }]) => `${from} ${operationId}`)).to.include.members([
      'storeFile downloadStoredFile',
      'runPipeline getJob',
      'getJob getJobResult',
      'rotatePdf getJob',
      'openEditorSession getEditorPage',
    ]);
    for (const [from, { operationId, parameters = {}, 'x-requestBody': values = {} }] of links) {
      const to = calls.get(operationId);
      const taken = (to?.parameters ?? []).map(({ name, in: place }) => (place === 'header' ? `header.${name}` : name));
      for (const name of Object.keys(parameters)) expect(taken, `${from} to ${operationId}`).to.include(name);
      const body = Object.values(to?.requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.keys(schema.properties),
      );
      for (const name of Object.keys(values)) expect(body, `${from} to ${operationId}`).to.include(name);
    }
  });

  it('names the API key header as the security scheme', () => {
    expect(document.components.securitySchemes['apiKey']?.name).to.equal('X-API-KEY');
  });

  it('declares examples that work when they are posted', async function () {
    this.timeout(300_000);
    const config = { tenantId: '77777777-7777-4777-8777-777777777777' };
    // The examples of labels use connection 1.
    const made = await fetch(`${url}/api/v1/integrations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ integrationType: 'PURVIEW', name: 'labels', config }),
    });
    expect(made.status, await made.text()).to.equal(200);
    for (const [path, entry] of sampleOf([...server.catalog.operations], 6)) {
      for (const example of chosen(entry.operation.examples as readonly Example<Record<string, unknown>>[])) {
        const label = `${path}: ${example.title}`;
        const load = async (name: string) => ({
          name,
          bytes: new Uint8Array(await readFile(join(entry.plugin.root, 'fixtures', name))),
        });
        const parts: Record<string, { name: string; bytes: Uint8Array }> = {};
        for (const [field, name] of Object.entries(example.parts ?? {})) parts[field] = await load(name);
        const answer = await callOperation(url, {
          path,
          files: await Promise.all(example.files.map(load)),
          parts,
          params: example.params,
        });
        const documented = document.paths[`/api/v1/${path}`]?.['post']?.responses[String(answer.status)];
        expect(documented, `${label} answered an undocumented ${answer.status} ${answer.code ?? ''}`).to.not.equal(
          undefined,
        );
        const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
        // A result whose type is that of the input is documented as a file of any type.
        if (answer.status !== 204)
          expect(Object.keys(documented?.content ?? {}), label).to.include.oneOf([type, '*/*']);
        if (
          answer.code === 'PROGRAM_MISSING' ||
          answer.code === 'SERVICE_NOT_SET_UP' ||
          (['ADDRESS_REFUSED', 'URL_UNREACHABLE', 'CONNECTION_UNUSABLE'].includes(answer.code ?? '') &&
            entry.operation.effects?.includes('needsNetwork') === true)
        )
          continue;
        checkExpectation(label, example, answer, entry.operation.returns);
        const many = fileReturns(entry.operation)?.many;
        const zipped =
          many !== undefined &&
          (many.single !== 'file' || answer.fileName?.endsWith('.zip') === true) &&
          (many.when === undefined ||
            holds(many.when, entry.schema.validate(example.params).value as Record<string, unknown>));
        if (answer.status === 200 && fileReturns(entry.operation) !== undefined) {
          const documentedNames = Object.values(documented?.headers?.['Content-Disposition']?.examples ?? {}).map(
            ({ summary }) => summary,
          );
          if (!namedByContent.has(path))
            expect(
              documentedNames.some((template) => fits(template, answer.fileName ?? '')),
              `${label}: ${answer.fileName} of ${documentedNames.join(', ')}`,
            ).to.equal(true);
        }
        if (example.expect.names !== undefined)
          expect(
            zipped ? (await readZip(answer.bytes)).map(({ name }) => name) : [answer.fileName],
            label,
          ).to.deep.equal(example.expect.names);
      }
    }
  });
});

/** In the nightly run all; else the first, and the first refusal: the conformance kit posts the others too. */
function chosen<T extends Example<unknown>>(examples: readonly T[]): readonly T[] {
  const refusal = examples.find(({ expect: { refused } }) => refused !== undefined);
  return isNightly ? examples : examples.filter((one, i) => i === 0 || one === refusal);
}

/** Operations that name their result after its content, its address, or the level that was reached. */
const namedByContent: ReadonlySet<string> = new Set([
  'ai/tools/create-pdf-from-html-agent',
  'convert/pdf/pdfa',
  'convert/url/pdf',
]);

/** Returns whether a name matches a template (`{base}_rotated.pdf`). */
function fits(template: string, name: string): boolean {
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`).test(name);
}

function checkExpectation(
  label: string,
  example: Example<Record<string, unknown>>,
  answer: Awaited<ReturnType<typeof callOperation>>,
  returns: object,
): void {
  const { refused, dropped, json } = example.expect;
  if (refused !== undefined) expect(answer.code, label).to.equal(refused);
  else expect(answer.status, `${label} ${answer.code ?? ''}`).to.equal(dropped === true ? 204 : 200);
  // Elements of an array are named by their index.
  if (json !== undefined && 'json' in returns)
    for (const [member, value] of Object.entries(json))
      expect(answer.json<Record<string, unknown>>()[member], `${label}: ${member}`).to.deep.equal(value);
}
