import { InputError } from '@quire/registry';

/** Throws SCIM_CHANGED unless If-Match names this entity tag, or is missing (RFC 7644, 3.14; RFC 9110, 13.1.1). */
export function checkVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  if (!ifMatch.split(',').some((tag) => opaque(tag) === opaque(version))) throw new InputError('SCIM_CHANGED');
}
