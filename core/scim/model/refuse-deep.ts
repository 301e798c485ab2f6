import { InputError } from '@quire/registry';

/** Levels of objects and lists in a body; resources have three. */
const MOST_LEVELS = 20;

/** Throws SCIM_SYNTAX_INVALID for a body whose copies and comparisons would exhaust the stack. */
export function refuseDeep(value: unknown, level = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (level === MOST_LEVELS)
    throw new InputError('SCIM_SYNTAX_INVALID', { detail: `the body has more than ${MOST_LEVELS} levels` });
  for (const part of Object.values(value)) refuseDeep(part, level + 1);
}
