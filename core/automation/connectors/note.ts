import { createHash } from 'node:crypto';
import type Joi from 'joi';
import type { Delivery } from './model.js';

/** Reads what an earlier attempt remembered; undefined for none, and for a note that another version has written. */
export function readNote<T>({ note }: Delivery, schema: Joi.ObjectSchema<T>): T | undefined {
  if (note === null) return undefined;
  try {
    const { value, error } = schema.validate(JSON.parse(note), { convert: false });
    return error === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A name for a delivery that has no characters with a meaning: 32 hexadecimal digits. */
export function idOf({ id }: Pick<Delivery, 'id'>): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
