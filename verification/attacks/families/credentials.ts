import { type DocumentedAnswer, type DocumentedCall, resolve } from '../../walk/api-document.js';
import { plannedCalls } from '../../walk/planned-calls.js';
import type { Attack, Battlefield, CallerName } from '../attack.js';

/** Callers that may never make a call, unless it is public. */
const STRANGERS: readonly CallerName[] = ['nobody', 'wrong key', 'foreign token', 'disabled user'];

/** Calls that are for administrators only when they ask for everybody's things. */
const IN_PART = /^\/api\/v1\/general\/jobs(?:\/events)?$/;

/**
 * Every documented call with every kind of credentials that must not open it. The document says what is public
 * (`security: []`), what is for administrators (`ADMIN_ONLY` among its answers), and what is open before a password was
 * changed (no `PASSWORD_CHANGE_REQUIRED`).
 */
export function credentialAttacks({ document }: Battlefield): Attack[] {
  const seen = new Set<string>();
  return plannedCalls(document).flatMap((call): Attack[] => {
    const { described, method, name } = call;
    if (described.security?.length === 0 || seen.has(`${method} ${name}`)) return [];
    seen.add(`${method} ${name}`);
    const path = `${call.path.replaceAll(/\{\w+\}/g, 'x')}${IN_PART.test(name) ? '?everyone=true' : ''}`;
    return callersOf(document, described, method, name).map((caller) => ({
      family: 'credentials',
      title: `${method} ${name} as ${caller}`,
      method,
      path,
      caller,
      call: described,
      mustBeRefused: true,
      ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: () => Buffer.from('{}') }),
    }));
  });
}

function callersOf(
  document: Battlefield['document'],
  { responses }: DocumentedCall,
  method: string,
  name: string,
): CallerName[] {
  const forbidden = resolve<DocumentedAnswer>(document, responses['403'] ?? { description: '' }).description;
  const callers: CallerName[] = [...STRANGERS];
  if (forbidden.includes('PASSWORD_CHANGE_REQUIRED')) callers.push('must change password');
  if (forbidden.includes('ADMIN_ONLY')) callers.push('user', 'global key');
  if (method !== 'GET') callers.push('read-only key');
  if (/^\/api\/v1\/(?:general|misc|security|filter)\//.test(name) && method === 'POST')
    callers.push('key of another category');
  return callers;
}
