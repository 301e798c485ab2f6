import type { ValidateFunction } from 'ajv';
import { DefectError } from '@quire/registry';

const LARGEST_SCHEMA = 64 * 1024;
const KEPT = 64;

/** Result of a check: the value, or the fault in words for the model. */
export type CheckedAnswer = { readonly value: unknown } | { readonly fault: string };

/** Reads an answer as JSON and holds it against a schema. */
export type AnswerCheck = (answer: string) => CheckedAnswer;

const checks = new Map<string, AnswerCheck>();

/**
 * Compiles a JSON Schema (draft 2020-12). Schemas may come from a worker that a document has compromised and run in the
 * server: their size is limited, and patterns, references and `uniqueItems`, which may run for ever, are refused.
 * Throws CONTRACT_BROKEN for a refused schema.
 */
export async function answerCheck(schema: object): Promise<AnswerCheck> {
  const text = JSON.stringify(schema);
  const known = checks.get(text);
  if (known !== undefined) return known;
  const refuse = (detail: string): never => {
    throw new DefectError('CONTRACT_BROKEN', { detail: `the schema of a model's answer ${detail}` });
  };
  if (text.length > LARGEST_SCHEMA) refuse(`has more than ${LARGEST_SCHEMA} characters`);
  if (/"pattern":"|"patternProperties":|"uniqueItems":true|"\$(?:ref|dynamicRef|recursiveRef)":"/.test(text))
    refuse('holds patterns, references or uniqueItems');
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  let validate: ValidateFunction;
  try {
    // One instance for each, as an instance keeps every schema that it ever saw.
    validate = new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false }).compile(
      schema,
    );
  } catch (error) {
    return refuse(`is invalid: ${(error as Error).message}`);
  }
  const check: AnswerCheck = (answer) => {
    const found = readJson(answer);
    if (found === undefined)
      return { fault: answer.trim() === '' ? 'it was empty' : 'it was not one complete JSON value' };
    if (validate(found.value)) return found;
    const [first] = validate.errors ?? [];
    return { fault: `at "${first?.instancePath ?? ''}" it ${first?.message ?? 'does not fit the schema'}` };
  };
  const oldest = checks.keys().next().value;
  if (checks.size >= KEPT && oldest !== undefined) checks.delete(oldest);
  checks.set(text, check);
  return check;
}

/**
 * The JSON value of an answer: all of it, or the object in a text around it, as models that think aloud or write code
 * blocks answer.
 */
function readJson(answer: string): { readonly value: unknown } | undefined {
  const text = answer.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  // No expression looks for both ends of the block: what stands between is as long as the model likes, and what it
  // likes.
  const begin = /^```(?:json)?[^\S\n]*\n/.exec(text)?.[0];
  const fenced =
    begin !== undefined && text.endsWith('```') && text.length >= begin.length + 3
      ? text.slice(begin.length, -3)
      : undefined;
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  for (const candidate of [text, fenced, from >= 0 && to > from ? text.slice(from, to + 1) : undefined]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) as unknown };
    } catch {
      // The next candidate may be one.
    }
  }
  return undefined;
}
