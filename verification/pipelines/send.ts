import { send } from '../damage/send-file.js';
import type { Step } from './steps.js';

/** What came of a chain of steps. */
export interface Outcome {
  readonly status: number;
  /** Error code of a refusal; empty for 200. */
  readonly code: string;
  /** What the answers warn of. */
  readonly warnings: readonly string[];
  readonly bytes: Uint8Array;
}

/** Returns the steps that a pipeline can have: some operations cannot be one. */
export async function possibleSteps(url: string, steps: readonly Step[]): Promise<readonly Step[]> {
  const body = new FormData();
  body.set('json', definitionOf(steps));
  const answer = await fetch(`${url}/api/v1/pipeline/validate`, { method: 'POST', body });
  const { errors = [] } = (await answer.json()) as { errors?: readonly { pointer: string; detail: string }[] };
  const impossible = errors
    .filter(({ detail }) => detail.endsWith('cannot be a pipeline step'))
    .map(({ pointer }) => Number(pointer.split('/')[2]));
  if (impossible.length < errors.length) throw new Error(JSON.stringify(errors));
  return steps.filter((_, i) => !impossible.includes(i));
}

/** Runs the steps in one call of `pipeline/handleData`. */
export function inOneCall(url: string, file: Uint8Array, steps: readonly Step[]): Promise<Outcome> {
  return call(url, 'pipeline/handleData', { json: definitionOf(steps) }, file);
}

/** Calls one operation after another, each with the answer of the one before. */
export async function oneByOne(url: string, file: Uint8Array, steps: readonly Step[]): Promise<Outcome> {
  const warnings: string[] = [];
  let bytes = file;
  for (const { path, params } of steps) {
    const fields = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    const outcome = await call(url, path, Object.fromEntries(fields), bytes);
    warnings.push(...outcome.warnings);
    if (outcome.status !== 200) return { ...outcome, warnings };
    bytes = outcome.bytes;
  }
  return { status: 200, code: '', warnings, bytes };
}

function definitionOf(steps: readonly Step[]): string {
  const pipeline = steps.map(({ path, params }) => ({ operation: `/api/v1/${path}`, parameters: params }));
  return JSON.stringify({ pipeline });
}

async function call(
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  file: Uint8Array,
): Promise<Outcome> {
  const { status, warnings, body } = await send(url, { path, fields, copies: 1 }, file);
  const code = status === 200 ? '' : codeOf(body);
  return { status, code, warnings: warnings === '' ? [] : [warnings], bytes: body };
}

function codeOf(body: Buffer): string {
  const text = body.toString('utf8');
  try {
    return (JSON.parse(text) as { code?: string }).code ?? text;
  } catch {
    return text;
  }
}
