import SwaggerParser from '@apidevtools/swagger-parser';
import { expect } from 'chai';
import { type AnyOperation, type Example, holds } from '@quire/registry';
import { callOperation } from '../call-operation.js';
import type { TestHost } from './host.js';
import { type Subject, type TestRunner, casesOf } from './subject.js';

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Tests what the host derives from the declarations: routes, the OpenAPI document, pipeline steps. */
export function derivationSection(subject: Subject, { it }: TestRunner, host: () => Promise<TestHost>): void {
  // The document of one plugin has to be made first, which takes seconds. Tests of the server look at that of all.
  if (!subject.isSample)
    it('has a valid OpenAPI document with every operation and endpoint', async () => {
      const { url } = await host();
      const document = (await (await fetch(`${url}/v1/api-docs`)).json()) as OpenApi;
      expect(document.openapi).to.match(/^3\./);
      const keys = Object.keys(document.paths);
      for (const { path } of subject.operations)
        expect(keys, 'paths of the OpenAPI document').to.include(`/api/v1/${path}`);
      // The parser modifies its argument.
      await SwaggerParser.validate(structuredClone(document) as never);
    });

  for (const { operation, example, title } of casesOf(subject)) {
    if (!canBeStep(operation, example)) continue;
    it(`can be a pipeline step: ${title}`, async () => {
      const definition = { pipeline: [{ operation: `/api/v1/${operation.path}`, parameters: example.params }] };
      const answer = await callOperation((await host()).url, {
        path: 'pipeline/validate',
        params: { json: JSON.stringify(definition) },
      });
      if (answer.status !== 200) expect.fail(`answered ${answer.status}: ${new TextDecoder().decode(answer.bytes)}`);
    });
  }
}

function canBeStep(operation: AnyOperation, example: Example<unknown>): boolean {
  if (operation.pipeline === false) return false;
  if (example.expect.refused !== undefined || (operation.needs?.programs ?? []).length > 0) return false;
  const params = example.params as Readonly<Record<string, unknown>>;
  return !(operation.parts ?? []).some((part) => holds(part.requiredWhen, params));
}
