import { resolve, type ApiDocument, type Link } from './api-document.js';
import type { WalkRow } from './make-call.js';
import type { Given, PlannedCall } from './planned-calls.js';

/**
 * Returns the values of an answer for other calls, by operationId (OpenAPI 3.0.3, 4.8.20): every link whose values all
 * exist.
 */
export function followLinks(document: ApiDocument, call: PlannedCall, row: WalkRow): Map<string, Given> {
  const { answer } = row;
  const links = Object.values(call.described.responses[String(row.status)]?.links ?? {}).map((link) =>
    resolve<Link>(document, link),
  );
  if (answer === undefined) return new Map();
  const valuesOf = (members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(members)
        .map(([name, value]) => [name, evaluate(value, call, answer)] as const)
        .filter(([, value]) => value !== undefined),
    );
  // A link with a missing value, for example from an empty list, is not followed: constants alone say nothing about
  // this answer.
  const whole = (members: Readonly<Record<string, unknown>> = {}): boolean =>
    Object.values(members).every((value) => evaluate(value, call, answer) !== undefined);
  return new Map(
    links
      .filter(({ parameters, 'x-requestBody': body }) => whole(parameters) && whole(body))
      .map(({ operationId, parameters, 'x-requestBody': body }) => [
        operationId,
        { parameters: valuesOf(parameters), payload: valuesOf(body) },
      ]),
  );
}

/**
 * Evaluates a constant, a runtime expression (4.8.20.4), or a text with expressions in braces; undefined when the
 * answer has no such value.
 */
export function evaluate(value: unknown, call: PlannedCall, answer: NonNullable<WalkRow['answer']>): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one) => evaluate(one, call, answer));
    return all.includes(undefined) ? undefined : all;
  }
  if (typeof value !== 'string') return value;
  if (value.startsWith('$')) return expression(value, call, answer);
  const parts = [...value.matchAll(/\{(\$[^}]+)\}/g)].map(
    ([whole, inner = '']) => [whole, expression(inner, call, answer)] as const,
  );
  if (parts.some(([, found]) => found === undefined)) return undefined;
  return parts.reduce((text, [whole, found]) => text.replace(whole, String(found)), value);
}

function expression(text: string, call: PlannedCall, { headers, bytes }: NonNullable<WalkRow['answer']>): unknown {
  const [source = '', pointer] = text.split('#');
  if (source.startsWith('$request.path.')) return call.inPath[source.slice('$request.path.'.length)];
  if (source.startsWith('$response.header.')) return headers.get(source.slice('$response.header.'.length)) ?? undefined;
  if (source === '$request.body' && pointer !== undefined) return at(call.json ?? call.fields, pointer);
  if (source !== '$response.body') throw new Error(`${call.name}: unsupported link expression: ${text}`);
  if (pointer === undefined) return new Blob([Uint8Array.from(bytes)]);
  return (headers.get('content-type') ?? '').startsWith('application/json')
    ? at(JSON.parse(new TextDecoder().decode(bytes)), pointer)
    : undefined;
}

/** Returns the value at a JSON Pointer (RFC 6901); undefined for null and for what does not exist. */
function at(value: unknown, pointer: string): unknown {
  let found: unknown = value;
  for (const step of pointer.split('/').slice(1))
    found = (found as Record<string, unknown> | null | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  return found ?? undefined;
}
