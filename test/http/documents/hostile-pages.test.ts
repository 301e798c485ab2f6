import { createTestServer } from '@quire/core';
import type { AnyOperation, definePlugin } from '@quire/registry';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import Joi from 'joi';
import {
  type Answer,
  expectProblem,
  field,
  file,
  json,
  type Part,
  pointers,
  post,
  type Problem,
} from '../support/client.js';
import { hostilePages, manyPages } from '../support/hostile-pages.js';
import { productRoot, quiet, type TestServer } from '../support/server.js';
import { isNightly, sampleOf } from '../../suites/nightly.js';

type Plugin = ReturnType<typeof definePlugin>;

/** Lists that one field gets, but for the nightly run: all fields read their lists with the same code. */
const LISTS = 5;

/** A shipped operation with the folder of its fixtures. */
interface Shipped {
  readonly operation: AnyOperation;
  readonly fixtures: string;
}

async function shippedOperations(): Promise<Shipped[]> {
  const { plugins } = parse(readFileSync(join(productRoot, 'config', 'settings.yml'), 'utf8')) as {
    plugins: { use: string }[];
  };
  const found = await Promise.all(
    plugins.map(async ({ use }) => {
      const { default: plugin } = (await import(use)) as { default: Plugin };
      return plugin.operations.map((operation) => ({
        operation,
        fixtures: join(productRoot, 'plugins', use.replace('@quire/plugin-', ''), 'fixtures'),
      }));
    }),
  );
  return found.flat();
}

/** The fields of an operation as described by its schema. */
function fieldsOf(
  operation: AnyOperation,
): Record<
  string,
  { type?: string; examples?: unknown[]; allow?: unknown[]; flags?: { description?: string; only?: boolean } }
> {
  return (operation.params(Joi as never).describe() as { keys?: ReturnType<typeof fieldsOf> }).keys ?? {};
}

/** Fields that are page lists: those built by the registry's own field, and those with the same name. */
function pageFields(operation: AnyOperation): string[] {
  return Object.entries(fieldsOf(operation)).flatMap(([name, { type, examples }]) =>
    type === 'string' &&
    (/^pages?(Numbers|To|List|Range|Selection)/i.test(name) || examples?.includes('1,3,5-9') === true)
      ? [name]
      : [],
  );
}

/**
 * The forms of an operation's valid examples, without this field; then the first of them again with each choice of a
 * field.
 */
function exampleForms({ operation, fixtures }: Shipped, without: string): Part[][] {
  const read = (name: string, fieldName: string): Part => file(readFileSync(join(fixtures, name)), name, fieldName);
  const forms = operation.examples
    .filter(({ expect: { refused } }) => refused === undefined)
    .map((example) => [
      ...example.files.map((name) => read(name, 'fileInput')),
      ...Object.entries(example.parts ?? {}).map(([name, part]) => read(part, name)),
      ...Object.entries(example.params as Record<string, unknown>)
        .filter(([name]) => name !== without)
        .flatMap(([name, value]) =>
          [value].flat().map((one) => field(name, typeof one === 'object' ? JSON.stringify(one) : String(one))),
        ),
    ]);
  const choices = Object.entries(fieldsOf(operation)).flatMap(([name, { type, allow, flags }]) =>
    type === 'string' && flags?.only === true
      ? (allow ?? []).filter((value) => typeof value === 'string').map((value) => field(name, value))
      : [],
  );
  const [first = []] = forms;
  return [...forms, ...choices.map((choice) => [...first.filter(({ name }) => name !== choice.name), choice])];
}

/** Returns whether the declaration marks the field as accepted and not used. */
function neverRead(operation: AnyOperation, name: string): boolean {
  return /\b(not used|ignored)\b/.test(fieldsOf(operation)[name]?.flags?.description ?? '');
}

/** Lists that name no page, range or formula; none of them may be read as one, or as a command. */
const GARBAGE = [
  'x',
  '1;id',
  '$(id)',
  '`id`',
  '-',
  '--',
  '--1',
  '-5',
  '1-2-3',
  '1..3',
  '1.5',
  '1e9',
  '0x1',
  'NaN',
  'even',
  'N',
  'n^2',
  '2n+',
  'n)(',
  '((((n',
  'all,x',
  '1,2,x',
  '/etc/passwd',
  '1\n;2',
  '１',
  '٣',
  '[1]',
  '{"a":1}',
  'constructor',
  '__proto__',
  '9'.repeat(400),
  '('.repeat(9000) + 'n',
  '1,'.repeat(20_000),
  '🙂',
  'null',
  'undefined',
  '%31',
  '<script>',
];
/** Lists that are well formed and name no page of a short document. */
const NOWHERE = ['0', ',', ' , ,', '10000', '999999999999999', '9-3', '90000-', '0n', 'n-n'];

/** A list of pages; a harmless one may also be accepted. */
interface PageList {
  readonly list: string;
  readonly harmless: boolean;
}

const lists: readonly PageList[] = [
  ...GARBAGE.map((list) => ({ list, harmless: false })),
  ...NOWHERE.map((list) => ({ list, harmless: true })),
];

/** Some of the values, beginning with the one after those that were used before. */
function takeTurns<T>(values: readonly T[], used: number, count: number): T[] {
  return Array.from({ length: count }, (_none, i) => values[(used + i) % values.length]!);
}

describe('Hostile pages', () => {
  let server: TestServer;
  let shipped: Shipped[];

  before(async function () {
    this.timeout(60_000);
    server = await createTestServer({ settings: { 'security.timestamp.defaultTsaUrl': 'http://127.0.0.1:9/' } });
    await server.start();
    shipped = await shippedOperations();
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const urlOf = ({ path }: AnyOperation): string => `${server.url}/api/v1/${path}`;

  it('are listed by fields that this test discovers', () => {
    const found = shipped.flatMap(({ operation }) => pageFields(operation).map((name) => `${operation.path} ${name}`));
    expect(found).to.include.members([
      'general/remove-pages pageNumbers',
      'general/split-pages pageNumbers',
      'general/rearrange-pages pageNumbers',
    ]);
  });

  it('are refused by every operation that reads a malformed page list, with the field named', async function () {
    this.timeout(600_000);
    const faults: string[] = [];
    let sent = 0;
    for (const one of shipped) {
      for (const name of pageFields(one.operation)) {
        const ask = (form: readonly Part[], list: string): Promise<Answer> =>
          post(urlOf(one.operation), [...form, field(name, list)]);
        const forms = exampleForms(one, name);
        // With some parameters a list is not read; an operation must declare a list that it never reads.
        let reading: Part[] | undefined;
        for (const form of forms) {
          const { status } = await ask(form, 'x');
          if (status === 400) reading = form;
          if (status === 400 || status === 503 || neverRead(one.operation, name)) break;
          if (form === forms.at(-1)) faults.push(`${one.operation.path} takes any ${name}, whatever else is sent`);
        }
        if (reading === undefined) continue;
        for (const { list, harmless } of isNightly ? lists : takeTurns(lists, sent, LISTS)) {
          sent++;
          const answer = await ask(reading, list);
          const where = `${one.operation.path} ${name}=${JSON.stringify(list.slice(0, 30))}`;
          if (harmless && (answer.status === 200 || answer.status === 204)) continue;
          if (answer.status !== 400) {
            faults.push(`${where}: ${answer.status}`);
            continue;
          }
          const problem = json<Problem>(answer);
          if (!`${problem.detail} ${pointers(problem).join(' ')}`.includes(name))
            faults.push(`${where}: ${problem.code} names no field: ${problem.detail}`);
          if (answer.body.length > 5000) faults.push(`${where}: ${answer.body.length} bytes of answer`);
        }
      }
    }
    expect(faults, faults.join('\n')).to.deep.equal([]);
    expect(sent, 'lists, each at least once').to.be.at.least(lists.length);
  });

  const ways: readonly (readonly [path: string, params: Readonly<Record<string, string>>])[] = [
    ['general/rotate-pdf', { angle: '90' }],
    ['general/remove-pages', { pageNumbers: '1' }],
    ['general/rearrange-pages', { customMode: 'REVERSE_ORDER' }],
    ['general/rearrange-pages', { customMode: 'DUPLICATE' }],
    ['general/rearrange-pages', { pageNumbers: '1' }],
    ['general/split-pages', { pageNumbers: '1' }],
    ['general/split-pdf-by-chapters', {}],
    ['general/split-by-size-or-count', { splitType: '2', splitValue: '2' }],
    ['general/split-by-size-or-count', { splitValue: '1KB' }],
    ['general/extract-bookmarks', {}],
    ['general/edit-table-of-contents', { bookmarkData: '[{"title":"a"}]' }],
    ['general/merge-pdfs', { generateToc: 'true' }],
  ];

  /** Some of them, for documents that take seconds in each. */
  const someWays = sampleOf(ways, 6);

  async function survives(
    path: string,
    params: Readonly<Record<string, string>>,
    bytes: Uint8Array,
  ): Promise<string[]> {
    const { status, body } = await post(`${server.url}/api/v1/${path}`, [
      file(bytes),
      ...Object.entries(params).map(([name, value]) => field(name, value)),
    ]);
    const where = `${path} ${JSON.stringify(params)}`;
    return status === 200 || (status >= 400 && status < 500)
      ? []
      : [`${where}: ${status} ${body.toString('utf8', 0, 200)}`];
  }

  for (const { title, bytes, only, slow = false } of hostilePages()) {
    it(`${title}: every page operation returns a result or a reason, in time`, async function () {
      this.timeout(600_000);
      const faults: string[] = [];
      for (const [path, params] of (slow ? someWays : ways).filter(([way]) => only === undefined || only.includes(way)))
        faults.push(...(await survives(path, params, bytes)));
      expect(faults).to.deep.equal([]);
    });
  }

  it('make no operation that accepts a PDF fail or hang', async function () {
    this.timeout(3_600_000);
    // A third of the operations get one of the small documents each, so that each of them is used; the kit sends
    // hostile files to every operation. In the nightly run all operations get all documents.
    const documents = hostilePages().filter(({ only }) => only === undefined);
    const faults: string[] = [];
    const takers = shipped.filter(({ operation }) =>
      operation.accepts.some((kind) => kind === 'pdf' || kind === 'any'),
    );
    for (const [i, one] of sampleOf(takers, 3).entries()) {
      const [form] = exampleForms(one, '');
      if (form === undefined) continue;
      const rest = form.filter(({ name }) => name !== 'fileInput');
      const given = isNightly ? documents : [documents[i % documents.length]];
      for (const document of given) {
        if (document === undefined) continue;
        const { status, body } = await post(urlOf(one.operation), [file(document.bytes), ...rest]);
        const where = `${one.operation.path}, ${document.title}`;
        if (status >= 500 && status !== 503) faults.push(`${where}: ${status} ${body.toString('utf8', 0, 200)}`);
      }
    }
    expect(faults, faults.join('\n')).to.deep.equal([]);
  });

  it('are processed in time with 10000 pages, or refused', async function () {
    this.timeout(600_000);
    const bytes = manyPages(10_000);
    const faults: string[] = [];
    for (const [path, params] of someWays) faults.push(...(await survives(path, params, bytes)));
    expect(faults).to.deep.equal([]);
  });

  it('are refused above the page limit when pages repeat, with the field named', async () => {
    const answer = await post(`${server.url}/api/v1/general/rearrange-pages`, [
      file(manyPages(10_000)),
      field('customMode', 'DUPLICATE'),
      field('pageNumbers', '30000'),
    ]);
    expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID'))).to.deep.equal(['/pageNumbers']);
  }).timeout(60_000);

  it('are refused for formulas over more than 10000 pages, with the reason', async () => {
    const problem = expectProblem(
      await post(`${server.url}/api/v1/general/remove-pages`, [file(manyPages(10_001)), field('pageNumbers', '2n')]),
      400,
      'PAGES_INVALID',
    );
    expect(problem.errors?.[0]?.detail).to.contain('10000 pages');
  }).timeout(60_000);
});
