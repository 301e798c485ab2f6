import type { Endpoint } from '@quire/registry';
import type { BuiltSchema } from './verify-schema.js';
import type { Report } from './verify-shared.js';

/** The built schemas of a request; each is undefined when it is not declared or faulty. */
export interface BuiltRequest {
  readonly params: BuiltSchema | undefined;
  readonly query: BuiltSchema | undefined;
  readonly payload: BuiltSchema | undefined;
}

/** Faults that an example may have because the call that links to it supplies the value (`AnswerLink`). */
const leftOut = ['any.required', 'object.missing'];

/**
 * Checks that examples send only what the request declares, and that their files are plain names: the documentation
 * shows them, and readers press Execute.
 */
export function verifyEndpointExamples({ examples, request }: Endpoint, built: BuiltRequest, report: Report): void {
  if (examples === undefined) return;
  if (!Array.isArray(examples)) {
    report('examples is not a list.');
    return;
  }
  const titles = new Set<string>();
  for (const { title, parameters = {}, payload, files = {} } of examples as NonNullable<Endpoint['examples']>) {
    const name = `the example "${String(title)}"`;
    if (typeof title !== 'string' || title === '') report('an example has no title.');
    if (titles.has(title)) report(`${name} is declared twice.`);
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
        report(`${name} uses a file that is not a plain name in fixtures/.`);
    }
  }
}

/**
 * Checks the links of one endpoint; whether their targets exist is not known here, as they may belong to another
 * plugin.
 */
export function verifyLinks(links: Endpoint['returns']['links'], report: Report): void {
  if (links === undefined) return;
  if (!Array.isArray(links)) {
    report('returns.links is not a list.');
    return;
  }
  const seen = new Set<unknown>();
  for (const { to } of links as NonNullable<typeof links>) {
    if (typeof to !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(to))
      report(`returns.links has the target ${JSON.stringify(to)}; it must be the id of an endpoint.`);
    if (seen.has(to)) report(`returns.links has the target ${String(to)} twice.`);
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
