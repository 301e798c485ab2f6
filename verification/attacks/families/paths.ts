import { plannedCalls } from '../../walk/planned-calls.js';
import type { Attack, Battlefield } from '../attack.js';
import { ENDS_THE_ATTACK } from '../base-forms.js';
import { slowTexts, travellingNames } from '../hostile-texts.js';
import { inTurn } from './fields.js';

/** Values that no path parameter should accept, in turn: names that lead elsewhere, slow texts, other kinds. */
const EACH = 6;

/** Path and query parameters of every documented call, and paths that the document does not know. */
export function pathAttacks(battlefield: Battlefield): Attack[] {
  const { document, secretFile, dropFolder } = battlefield;
  const next = inTurn([
    ...travellingNames(secretFile, dropFolder).map((name) => encodeURIComponent(name)),
    ...travellingNames(secretFile, dropFolder)
      .slice(0, 6)
      .map((name) => encodeURIComponent(encodeURIComponent(name))),
    ...slowTexts.filter(({ length }) => length < 200).map((text) => encodeURIComponent(text)),
    encodeURIComponent('a'.repeat(7000)),
    '__proto__',
    'constructor',
    '%00',
    '%0d%0aX-Injected:%20yes',
    '%ff%fe',
    '-1',
    '0',
    '1e309',
    '99999999999999999999',
    '%7B%22%24gt%22%3A%22%22%7D',
    '%5Bobject%20Object%5D',
    '..;',
  ]);
  const seen = new Set<string>();
  return [
    ...plannedCalls(document).flatMap((call): Attack[] => {
      const key = `${call.method} ${call.name}`;
      const names = (call.described.parameters ?? []).flatMap((one) =>
        'name' in one && one.in !== 'header' ? [one] : [],
      );
      if (names.length === 0 || seen.has(key) || ENDS_THE_ATTACK.test(call.name)) return [];
      seen.add(key);
      return Array.from({ length: names.some((one) => one.in === 'path') ? EACH : 2 }, () => {
        const value = next();
        const path = call.name.replaceAll(/\{\w+\}/g, value);
        const query = names.filter((one) => one.in === 'query').map((one) => `${one.name}=${next()}`);
        return {
          family: 'paths',
          title: `${key} with ${decoded(value).slice(0, 60)}`,
          method: call.method,
          path: query.length === 0 ? path : `${path}?${query.join('&')}`,
          caller: 'administrator',
          sent: [value, decoded(value), ...query.map(decoded)],
          call: call.described,
          ...(call.method === 'GET'
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: () => Buffer.from('{}') }),
        };
      });
    }),
    ...unknownPaths(secretFile),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownPaths(secretFile: string): Attack[] {
  const folders = [
    '/swagger-assets',
    '/swagger-assets/examples',
    '/swagger-ui',
    '/js',
    '/files',
    '/images',
    '',
    '/api/v1',
  ];
  const tails = [
    '/../../../../../../../../etc/passwd',
    '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/..%5c..%5c..%5cetc%5cpasswd',
    '/%252e%252e%252fetc%252fpasswd',
    `/..%2f..%2f..%2f..%2f..%2f..${encodeURIComponent(secretFile)}`,
    '/....//....//etc/passwd',
    '/.git/config',
    '/.env',
    '/package.json',
    '/node_modules/pino/package.json',
    '/configs/settings.yml',
    '/store/server.key',
    '/%00',
    '/.',
    '/;/../x',
    '/%ff',
    `/${'a/'.repeat(2000)}`,
  ];
  return folders.flatMap((folder) =>
    tails.map((tail) => ({
      family: 'paths',
      title: `GET ${folder}${tail.slice(0, 60)}`,
      method: 'GET',
      path: `${folder}${tail}`,
      caller: 'administrator' as const,
      sent: [tail, decoded(tail)],
    })),
  );
}
