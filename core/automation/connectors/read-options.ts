import type Joi from 'joi';
import { invalid, type Side } from './faults.js';
import type { ConnectorOptions } from './model.js';

/**
 * Reads options by their schema. They were valid when they were stored, so a fault comes from an older version of the
 * server. Throws SOURCE_INVALID or DESTINATION_INVALID that names the option.
 */
export function readOptions<T>(side: Side, schema: Joi.ObjectSchema<T>, given: ConnectorOptions): T {
  const { value, error } = schema.validate(given, { stripUnknown: true });
  if (error === undefined) return value;
  const [{ path, message } = { path: [], message: error.message }] = error.details;
  throw invalid(side, path.join('/'), message.replace(/^"[^"]*" /, ''), error);
}
