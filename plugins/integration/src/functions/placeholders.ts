import { InputError } from '@quire/registry/errors';
import type { JsonValue } from './connection-types.js';

/** Looks a name up: its value, null where the document does not say, undefined for a name that is not known. */
export type Lookup = (name: string) => JsonValue | undefined;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** True when a text may hold placeholders. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

/**
 * Puts values in place of `{{name}}`: null becomes empty text, objects and lists their JSON; `encode` makes a value
 * fit. Throws INPUT_INVALID for a name that is not known; `field` is where the text came from.
 */
export function fillText(
  text: string,
  field: string,
  lookup: Lookup,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(PLACEHOLDER, (_whole, name: string) => encode(asText(valueOf(name, field, lookup))));
}

/**
 * Fills a JSON template: within strings a value becomes text, escaped; outside of them it becomes a JSON value. Throws
 * INPUT_INVALID for an unknown name, and if the result is not JSON.
 */
export function fillJson(template: string, field: string, lookup: Lookup): string {
  let inString = false;
  let out = '';
  let end = -1;
  for (let at = 0; at < template.length; at++) {
    const character = template.charAt(at);
    if (character === '{' && template.startsWith('{{', at)) {
      // Looked for once for all that begin before it, however many that are.
      if (end < at) end = indexOrEnd(template, '}}', at);
      const name = end === template.length ? undefined : template.slice(at + 2, end);
      // `{{` also begins an object within an object, where a name is not JSON anyway.
      if (name !== undefined && (inString || /^\s*[\w.-]+\s*$/.test(name))) {
        const value = valueOf(name, field, lookup);
        out += inString ? JSON.stringify(asText(value)).slice(1, -1) : JSON.stringify(value);
        at = end + 1;
        continue;
      }
    }
    if (character === '\\' && inString) {
      out += template.slice(at, at + 2);
      at++;
      continue;
    }
    if (character === '"') inString = !inString;
    out += character;
  }
  try {
    JSON.parse(out);
  } catch (cause) {
    throw invalid(field, `${field} is not JSON once its placeholders are filled`, cause);
  }
  return out;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

/** Fills the texts of a JSON value, however deep they lie; other values stay. */
export function fillValues(value: JsonValue | undefined, field: string, lookup: Lookup): JsonValue {
  if (typeof value === 'string') return fillText(value, field, lookup);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => fillValues(one, field, lookup));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValues(one, field, lookup)]));
  return value ?? null;
}

/** A value as text. */
export function asText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Characters to which the placeholders of one call may expand, and how often the document itself may be included. */
const MOST_FILLED = 16 * 1024 * 1024;
const MOST_DOCUMENTS = 8;

/**
 * Limits the expansion of all placeholders of one call, because a short template could ask for any amount. The returned
 * look-ups throw INPUT_INVALID beyond the limit.
 */
export function fillBudget(): (lookup: Lookup, field: string) => Lookup {
  let [characters, documents] = [0, 0];
  return (lookup, field) => (name) => {
    const value = lookup(name);
    if (value !== undefined) characters += asText(value).length;
    if (characters > MOST_FILLED)
      throw invalid(field, `${field} becomes more than ${MOST_FILLED} characters once its placeholders are filled`);
    if (name === 'document.base64' && ++documents > MOST_DOCUMENTS)
      throw invalid(field, `${field} holds {{document.base64}} more than ${MOST_DOCUMENTS} times`);
    return value;
  };
}

/** The refusal of what came in a field. */
export function invalid(field: string, detail: string, cause?: unknown): InputError {
  return new InputError('INPUT_INVALID', { detail }, [{ pointer: `/${field}`, detail }], { cause });
}

function valueOf(raw: string, field: string, lookup: Lookup): JsonValue {
  const name = raw.trim();
  const value = lookup(name);
  if (value === undefined)
    throw invalid(
      field,
      `${field} holds the placeholder {{${name.slice(0, 60)}}}, which is not known; known are document.*, ` +
        'classification.*, sensitivityLabel.* and run.*',
    );
  return value;
}
