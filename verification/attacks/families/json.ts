import { type ApiDocument, resolve, type Schema } from '../../walk/api-document.js';
import { plannedCalls } from '../../walk/planned-calls.js';
import type { Attack, Battlefield } from '../attack.js';
import { ENDS_THE_ATTACK } from '../base-forms.js';
import { meaningfulTexts, slowTexts, travellingNames } from '../hostile-texts.js';
import { inTurn } from './fields.js';

/** Bodies that are JSON, and break something for careless readers of it. */
const shapes: readonly (readonly [string, () => string])[] = [
  ['arrays 100,000 deep', () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['objects 50,000 deep', () => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['members of every object', () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
  [
    'a hundred thousand members',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_unused, i) => [`m${i}`, i]))),
  ],
  ['a number of 100,000 digits', () => `{"a":${'9'.repeat(100_000)}}`],
  ['a text of 5 MB', () => `{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`],
  ['the same member twice', () => '{"name":"a","name":"b"}'],
  ['nothing', () => ''],
  ['null', () => 'null'],
  ['a list', () => '[1,2,3]'],
  ['a text', () => '"text"'],
  ['half an object', () => '{"name":'],
  ['a byte order mark', () => '\uFEFF{}'],
  ['bytes that are no text', () => '\u0000\u0001'],
];

/** Every call with a JSON body: broken bodies, and hostile values of its members. */
export function jsonAttacks({ document, secretFile, dropFolder, listener }: Battlefield): Attack[] {
  const texts = inTurn([
    ...travellingNames(secretFile, dropFolder),
    ...meaningfulTexts(secretFile, dropFolder),
    listener,
  ]);
  const slow = inTurn(slowTexts);
  const odd = inTurn<unknown>([null, true, -1, 1e308, [], {}, [[]], { $gt: '' }, { toString: 'x' }, ['a', 'a'], '']);
  const seen = new Set<string>();
  return plannedCalls(document).flatMap((call): Attack[] => {
    const key = `${call.method} ${call.name}`;
    const schema = call.described.requestBody?.content['application/json']?.schema;
    if (schema === undefined || seen.has(key) || ENDS_THE_ATTACK.test(call.name)) return [];
    seen.add(key);
    const base = typeof call.json === 'object' && call.json !== null ? (call.json as Record<string, unknown>) : {};
    const attack = (title: string, body: () => string, sent: readonly string[] = []): Attack => ({
      family: 'JSON bodies',
      title: `${key}: ${title}`,
      method: call.method,
      path: call.path.replaceAll(/\{\w+\}/g, 'x'),
      caller: 'administrator',
      headers: { 'content-type': 'application/json' },
      body: () => Buffer.from(body()),
      sent,
      call: call.described,
    });
    return [
      ...shapes.map(([title, body]) => attack(title, body)),
      ...membersOf(document, schema).flatMap((name) => {
        const [text, long, other] = [texts(), slow(), odd()];
        return [
          attack(`${name} is ${text.slice(0, 60)}`, () => JSON.stringify({ ...base, [name]: text }), [text]),
          attack(`${name} is slow: ${long.slice(0, 20)}`, () => JSON.stringify({ ...base, [name]: long }), [long]),
          attack(`${name} is ${JSON.stringify(other)}`, () => JSON.stringify({ ...base, [name]: other })),
        ];
      }),
    ];
  });
}

function membersOf(document: ApiDocument, schema: Schema): string[] {
  return Object.keys(resolve<Schema>(document, schema).properties ?? {});
}
