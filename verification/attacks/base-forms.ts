import { basename } from 'node:path';
import { field, file, type Part } from '../../test/http/support/client.js';
import { type ApiDocument, type DocumentedCall, resolve, type Schema } from '../walk/api-document.js';
import { type PlannedCall, plannedCalls } from '../walk/planned-calls.js';
import type { Battlefield } from './attack.js';

/** A call with a form, filled with its first example, and the schemas of its fields. */
export interface BaseForm {
  readonly call: PlannedCall;
  readonly parts: readonly Part[];
  readonly fields: readonly BaseField[];
}

/** A field of a form that is not a file. */
export interface BaseField {
  readonly name: string;
  readonly schema: Schema;
}

/** Calls that would end the server or the accounts of the attack itself; they are attacked by others without rights. */
export const ENDS_THE_ATTACK =
  /\/(?:settings\/restart|database\/import|user\/(?:change-password|change-username|register)|auth\/logout|mfa\/|deleteUser)/;

/** Calls of tools, which ordinary users make; all others are for one role, and most of them change the server. */
export function isTool({ name, method }: Pick<PlannedCall, 'name' | 'method'>): boolean {
  return (
    method === 'POST' &&
    /^\/api\/v1\/(?:general|misc|security|convert|filter|form|analysis|docparse|integration|ai|pipeline)\//.test(name)
  );
}

/** The forms of the document, one for each call: the first example that a server accepts. */
export function baseForms({ document, sample }: Pick<Battlefield, 'document' | 'sample'>): BaseForm[] {
  const seen = new Set<string>();
  return plannedCalls(document).flatMap((call): BaseForm[] => {
    const key = `${call.method} ${call.name}`;
    if (call.fields === undefined || seen.has(key)) return [];
    seen.add(key);
    const fields = fieldsOf(document, call.described);
    const parts = [
      ...Object.entries(call.files ?? {}).flatMap(([name, addresses]) =>
        addresses.map((address) => file(sample(address), decodeURIComponent(basename(address)), name)),
      ),
      ...Object.entries(call.fields).flatMap(([name, value]) =>
        fields.some((each) => each.name === name)
          ? [value].flat().map((one) => field(name, typeof one === 'object' ? JSON.stringify(one) : String(one)))
          : [],
      ),
    ];
    // Fields that the example leaves empty are left out, as programs do.
    return [{ call, parts: parts.filter(({ value, file: bytes }) => bytes !== undefined || value !== ''), fields }];
  });
}

function fieldsOf(document: ApiDocument, described: DocumentedCall): BaseField[] {
  const [media] = Object.values(described.requestBody?.content ?? {});
  const schema = resolve<Schema>(document, media?.schema ?? {});
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = resolve<Schema>(document, property);
    return own.format === 'binary' || own.items?.format === 'binary' ? [] : [{ name, schema: own }];
  });
}

/** The parts of a form in which a field has this value, alone. */
export function withField(parts: readonly Part[], name: string, value: string): Part[] {
  return [...parts.filter((part) => part.name !== name || part.file !== undefined), field(name, value)];
}
