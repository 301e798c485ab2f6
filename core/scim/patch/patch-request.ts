import { InputError } from '@quire/registry';
import { isObject } from '../filter/match-filter.js';
import { refuseDeep } from '../model/refuse-deep.js';
import type { Resource } from '../model/schema.js';

/** One operation of a PATCH (RFC 7644, 3.5.2). */
export interface PatchOperation {
  /** Counts from 1, for messages. */
  readonly at: number;
  readonly op: 'add' | 'replace' | 'remove';
  /** Undefined: `value` has the attributes. */
  readonly path: string | undefined;
  readonly value: unknown;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Operations of one call; the size of the body bounds their values. */
const MOST_OPERATIONS = 1000;

/** Reads the body of a PATCH. Names and operations are compared without regard to case. Throws SCIM_SYNTAX_INVALID. */
export function readPatch(body: Resource): readonly PatchOperation[] {
  refuseDeep(body);
  const { schemas, operations } = lowered(body);
  if (Array.isArray(schemas) && !schemas.some((one) => String(one).toLowerCase() === PATCH_SCHEMA.toLowerCase()))
    throw syntax(`"schemas" does not name ${PATCH_SCHEMA}`);
  if (!Array.isArray(operations) || operations.length === 0) throw syntax('"Operations" is not a list of operations');
  if (operations.length > MOST_OPERATIONS)
    throw syntax(`it has ${operations.length} operations; at most ${MOST_OPERATIONS} are accepted`);
  return operations.map((given: unknown, index) => readOperation(given, index + 1));
}

function readOperation(given: unknown, at: number): PatchOperation {
  if (!isObject(given)) throw syntax(`operation ${at} is not an object`);
  const { op, path, value } = lowered(given);
  const name = String(op).toLowerCase();
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    throw syntax(`"op" of operation ${at} is not one of add, replace, remove`);
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw syntax(`"path" of operation ${at} is not a text`);
  if (name !== 'remove' && value === undefined) throw syntax(`operation ${at} has no "value"`);
  const target = typeof path === 'string' && path.trim() !== '' ? path.trim() : undefined;
  return { at, op: name, path: target, value };
}

function lowered(given: Resource): Resource {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
}

function syntax(detail: string): InputError {
  return new InputError('SCIM_SYNTAX_INVALID', { detail });
}
