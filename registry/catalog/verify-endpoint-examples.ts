import type { Endpoint } from '@quire/registry';
import type { BuiltSchema } from './verify-schema.js';
import type { Report } from './verify-shared.js';

/** The built schemas of a request; none where it has none, or a faulty one. */
export interface BuiltRequest {
  readonly params: BuiltSchema | undefined;
  readonly query: BuiltSchema | undefined;
  readonly payload: BuiltSchema | undefined;
}

/** What an example may leave to the call that leads to it (`AnswerLink`). */
const leftOut = ['any.required', 'object.missing'];

/**
 * Checks that examples send what the request declares, and that their files are plain names: they stand in the
 * documentation, and people press Execute.
 */
export function verifyEndpointExamples({ examples, request }: Endpoint, built: BuiltRequest, report: Report): void {
  if (examples === undefined) return;
  if (!Array.isArray(examples)) {
    report('examples is no list.');
    return;
  }
  const titles = new Set<string>();
  for (const { title, parameters = {}, payload, files = {} } of examples as NonNullable<Endpoint['examples']>) {
    const name = `the example "${String(title)}"`;
    if (typeof title !== 'string' || title === '') report('an example has no title.');
    if (titles.has(title)) report(`${name} is there twice.`);
    titles.add(title);
    for (const sent of Object.keys(parameters))
      if (!(sent in (built.params?.fields ?? {})) && !(sent in (built.query?.fields ?? {})))
        report(`${name} sends the parameter ${sent}, which is not declared.`);
    for (const schema of [built.params, built.query])
      if (schema !== undefined)
        verifyValues(
          name,
          schema,
          Object.fromEntries(Object.entries(parameters).filter(([sent]) => sent in schema.fields)),
          report,
        );
    if (payload !== undefined && request?.payload === undefined) report(`${name} sends a body, which is not declared.`);
    if (payload !== undefined && built.payload !== undefined) verifyValues(name, built.payload, payload, report);
    for (const [field, sent] of Object.entries(files)) {
      if (!(request?.files ?? []).some((part) => part.field === field))
        report(`${name} sends the file ${field}, which is not declared.`);
      if (!Array.isArray(sent) || !sent.every((file) => typeof file === 'string' && /^[^/\\\0]+$/.test(file)))
        report(`${name} names a file that is no plain name in fixtures/.`);
    }
  }
}

/** Checks links as far as one endpoint tells: what they lead to may be of another plugin. */
export function verifyLinks(links: Endpoint['returns']['links'], report: Report): void {
  if (links === undefined) return;
  if (!Array.isArray(links)) {
    report('returns.links is no list.');
    return;
  }
  const seen = new Set<unknown>();
  for (const { to } of links as NonNullable<typeof links>) {
    if (typeof to !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(to))
      report(`returns.links leads to ${JSON.stringify(to)}; allowed is the id of an endpoint.`);
    if (seen.has(to)) report(`returns.links leads to ${String(to)} twice.`);
    seen.add(to);
  }
}

function verifyValues(name: string, { schema }: BuiltSchema, values: object, report: Report): void {
  const faults =
    schema
      .validate(values, { convert: true, abortEarly: false })
      .error?.details.filter(({ type }) => !leftOut.includes(type)) ?? [];
  for (const { message } of faults) report(`${name} does not pass the schema: ${message}.`);
}
