import { field, file, formBody, formType, type Part } from '../../../test/http/support/client.js';
import type { Attack, Battlefield } from '../attack.js';
import { baseForms, ENDS_THE_ATTACK, isTool, type BaseField, type BaseForm, withField } from '../base-forms.js';
import { meaningfulTexts, oddNumbers, slowTexts, travellingNames } from '../hostile-texts.js';
import { innerHosts } from '../../../test/fixtures/inner-addresses.js';

/** Takes the members of a list in turn, so that over all fields each is used many times. */
export function inTurn<T>(list: readonly T[]): () => T {
  let next = 0;
  return () => list[next++ % list.length] as T;
}

export function formAttack(
  { call }: BaseForm,
  family: string,
  title: string,
  parts: readonly Part[],
  sent: readonly string[],
): Attack {
  return {
    family,
    title: `${call.name}: ${title}`,
    method: call.method,
    path: call.path.replaceAll(/\{\w+\}/g, 'x'),
    caller: isTool(call) ? 'user' : 'administrator',
    headers: { 'content-type': formType },
    body: () => formBody(parts),
    sent,
    call: call.described,
  };
}

const isNumber = ({ schema }: BaseField): boolean => schema.type === 'integer' || schema.type === 'number';
const isAddress = ({ name }: BaseField): boolean => /ur[li]$|address|host|endpoint|callback(?!Secret)/i.test(name);
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Hostile values in every field of every form: paths, commands, markup, numbers, addresses, and slow texts. */
export function fieldAttacks(field: Battlefield): Attack[] {
  const names = inTurn(travellingNames(field.secretFile, field.dropFolder));
  const texts = inTurn(meaningfulTexts(field.secretFile, field.dropFolder));
  const slow = inTurn(slowTexts);
  const numbers = inTurn(oddNumbers);
  const hosts = inTurn(innerHosts);
  const port = new URL(field.listener).port;
  return baseForms(field).flatMap((form) => {
    if (ENDS_THE_ATTACK.test(form.call.name)) return [];
    return form.fields.flatMap((each): Attack[] => {
      const attack = (kind: string, value: string): Attack =>
        formAttack(form, 'fields', `${each.name} is ${kind} ${shown(value)}`, withField(form.parts, each.name, value), [
          value,
        ]);
      if (isAddress(each)) return [attack('an address', `http://${hosts()}:${port}/x`), attack('a text', texts())];
      if (isNumber(each)) return [attack('a number', numbers()), attack('a slow text', slow())];
      return [attack('a path', names()), attack('a text', texts()), attack('a slow text', slow())];
    });
  });
}

/** Names of uploads that lead elsewhere, or mean something to a header or a shell. */
export function nameAttacks(battlefield: Battlefield): Attack[] {
  const { secretFile, dropFolder } = battlefield;
  const names = inTurn([
    ...travellingNames(secretFile, dropFolder),
    ...meaningfulTexts(secretFile, dropFolder),
    `${'a'.repeat(5000)}.pdf`,
    'CON.pdf',
    '.htaccess',
    '-rf.pdf',
    '\u202egpj.exe',
  ]);
  return baseForms(battlefield)
    .filter(({ parts, call }) => parts.some((part) => part.file !== undefined) && !ENDS_THE_ATTACK.test(call.name))
    .flatMap((form) =>
      [names(), names()].map((name) =>
        formAttack(
          form,
          'file names',
          `a file called ${shown(name)}`,
          form.parts.map((part) => (part.file === undefined ? part : { ...part, fileName: name })),
          [name, name.split(/[\\/]/).at(-1) ?? ''],
        ),
      ),
    );
}

/** Forms whose structure is wrong: members of every object, repeated, huge, missing and mistaken parts. */
export function structureAttacks(battlefield: Battlefield): Attack[] {
  const shapes: readonly (readonly [string, (form: BaseForm) => readonly Part[]])[] = [
    ['members of every object', ({ parts }) => [...parts, ...PROTOTYPE.map(([name, value]) => field(name, value))]],
    ['fifteen hundred unknown fields', ({ parts }) => [...parts, ...many(1500, 'unknown')]],
    ['every part twice', ({ parts }) => [...parts, ...parts]],
    ['a field of 10,000 values', ({ parts, fields }) => [...parts, ...same(10_000, fields[0]?.name ?? 'x')]],
    ['a field name of 20,000 characters', ({ parts }) => [...parts, field('n'.repeat(20_000), 'x')]],
    ['a field of 3 MB', ({ parts, fields }) => [...parts, field(fields[0]?.name ?? 'x', 'x'.repeat(3 * 1024 * 1024))]],
    ['the document as text', ({ parts }) => parts.map((part) => field(part.name, part.value ?? 'text'))],
    [
      'texts as files',
      ({ parts }) => parts.map((part) => file(part.file ?? Buffer.from(part.value ?? ''), 'x', part.name)),
    ],
    ['no parts', () => []],
    ['names with brackets', ({ parts }) => parts.map((part) => ({ ...part, name: `${part.name}[a][b]` }))],
    ['names in capitals', ({ parts }) => parts.map((part) => ({ ...part, name: part.name.toUpperCase() }))],
    ['a part without a name', ({ parts }) => [...parts, { name: '', disposition: 'form-data', value: 'x' }]],
    [
      'a part with a broken header',
      ({ parts }) => [...parts, { name: 'x', disposition: 'form-data; name="x\r\nX: y"' }],
    ],
    [
      'three hundred files',
      ({ parts }) => [...parts, ...Array.from({ length: 300 }, (_unused, i) => file(Buffer.from('x'), `${i}.pdf`))],
    ],
  ];
  const turn = inTurn(shapes);
  return baseForms(battlefield)
    .filter(({ call }) => !ENDS_THE_ATTACK.test(call.name))
    .flatMap((form) =>
      [turn(), turn(), turn()].map(([title, shape]) => formAttack(form, 'form structure', title, shape(form), ['x'])),
    );
}

const PROTOTYPE: readonly (readonly [string, string])[] = [
  ['__proto__', '{"polluted":true}'],
  ['__proto__.polluted', 'true'],
  ['__proto__[polluted]', 'true'],
  ['constructor', 'x'],
  ['constructor.prototype.polluted', 'true'],
  ['hasOwnProperty', 'x'],
  ['toString', 'x'],
  ['then', 'x'],
];
const many = (count: number, name: string): Part[] =>
  Array.from({ length: count }, (_unused, i) => field(`${name}${i}`, 'x'));
const same = (count: number, name: string): Part[] => Array.from({ length: count }, () => field(name, 'x'));
