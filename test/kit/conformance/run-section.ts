import { expect } from 'chai';
import { resavePdf } from '@quire/document/engines/pdfium';
import {
  type AnyOperation,
  type Example,
  type FileReturns,
  commonCodes,
  errorRow,
  isQuireError,
  kindInfo,
  passwordsOf,
  returnsJson,
  sniffKind,
  tokens,
} from '@quire/registry';
import { type OperationAnswer, callOperation } from '../call-operation.js';
import { type PdfFacts, readPdf } from '../expect-pdf.js';
import { readZip } from '../read-zip.js';
import { expectedKind, runDirectly, shownKind, validParams } from './direct-run.js';
import type { TestHost } from './host.js';
import { holdToDeclaration } from './json-answer.js';
import { type Subject, type TestContext, type TestRunner, casesOf } from './subject.js';

/** Codes that core itself raises for an operation whose input it opens first. */
const checkedInputCodes = ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'] as const;

/** Returns whether this operation may refuse with the code. */
export function isDeclared(operation: AnyOperation, code: string): boolean {
  const allowed: readonly string[] = [
    ...commonCodes,
    ...operation.errors,
    ...(operation.input === 'raw' ? [] : checkedInputCodes),
  ];
  return allowed.includes(code);
}

/** Services that every run has, in workers and in the server. */
const plainServices: ReadonlySet<string> = new Set(
  [tokens.logger, tokens.clock, tokens.settings].map(({ name }) => name),
);

/**
 * Tests every example by calling `run` in this process: without side effects, within limits, and with the declared file
 * type.
 */
export function directRunSection(subject: Subject, { it }: TestRunner): void {
  for (const { operation, example, title } of casesOf(subject)) {
    // Operations of the host wait for programs, and some services exist only in a server.
    if (operation.runsIn === 'host' || (operation.needs?.services ?? []).some(({ name }) => !plainServices.has(name)))
      continue;
    // Calls that the schema refuses never reach `run`; the server answers them.
    if (example.expect.refused === 'INPUT_INVALID') continue;
    it(`runs without side effects: ${title}`, async () => {
      const run = await runDirectly(subject, operation, example);
      expect(run.changed, 'inputs that were changed').to.deep.equal([]);
      expect(run.network, 'opened a connection').to.equal(false);
      if (run.error !== undefined) {
        if (!isQuireError(run.error)) throw run.error;
        const { code } = run.error;
        expect(isDeclared(operation, code), `refused with ${code}, which it does not declare`).to.equal(true);
        expect(code, 'refused with').to.equal(example.expect.refused);
        return;
      }
      if (run.result === undefined || 'json' in run.result) {
        expect(returnsJson(operation), 'declares a JSON answer').to.equal(true);
        // As the server sends it: values that JSON cannot represent are omitted.
        if (returnsJson(operation))
          holdToDeclaration(
            operation.path,
            operation.returns.json,
            JSON.parse(JSON.stringify(run.result?.json ?? null)),
          );
        return;
      }
      expect(returnsJson(operation), 'declares files').to.equal(false);
      if (example.expect.dropped === true) expect(run.result, 'outputs of a dropped file').to.have.length(0);
      for (const output of run.result) {
        const wanted = expectedKind(operation, run.inputs[0]?.kind, run.params);
        if (wanted !== undefined)
          expect(
            shownKind(await run.read(output), `x.${kindInfo(wanted).extensions[0]}`),
            `file type of ${output.name} by its first bytes`,
          ).to.equal(wanted);
      }
    });
  }
}

/** Tests every example through a server with real workers, twice; of a sample only where it is the only example. */
export function runSection(subject: Subject, { it }: TestRunner, host: () => Promise<TestHost>): void {
  for (const { operation, example, title } of casesOf(subject)) {
    // Operations that call other machines have none here; the plugin's own tests provide one.
    if (operation.effects?.includes('needsNetwork') === true && example.expect.refused === undefined) continue;
    const isOnce = subject.isSample && operation.examples.length > 1;
    it(`answers as declared, ${isOnce ? 'once' : 'twice'}: ${title}`, async function (this: TestContext) {
      const { url } = await host();
      const first = await callExample(url, subject, operation, example);
      if (first.code === 'PROGRAM_MISSING') {
        this.skip?.();
        return;
      }
      await checkAnswer(subject, operation, example, first);
      if (isOnce) return;
      const second = await callExample(url, subject, operation, example);
      expect(second.status, 'status of the second run').to.equal(first.status);
      await checkAnswer(subject, operation, example, second);
    });
  }

  it('leaves no temporary file behind', async () => {
    expect(await (await host()).leftovers()).to.deep.equal([]);
  });
}

/** Posts an example as a client would. */
export function callExample(
  url: string,
  subject: Subject,
  operation: AnyOperation,
  example: Example<unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<OperationAnswer> {
  return callOperation(url, {
    path: operation.path,
    files: example.files.map((name) => ({ name, bytes: subject.fixture(name) })),
    parts: Object.fromEntries(
      Object.entries(example.parts ?? {}).map(([field, name]) => [field, { name, bytes: subject.fixture(name) }]),
    ),
    params: example.params as Readonly<Record<string, unknown>>,
    headers,
  });
}

/** Checks an answer against the example and the declaration. */
async function checkAnswer(
  subject: Subject,
  operation: AnyOperation,
  example: Example<unknown>,
  answer: OperationAnswer,
): Promise<void> {
  const { expect: wanted } = example;
  if (wanted.refused !== undefined) {
    expect(answer.code, 'problem code').to.equal(wanted.refused);
    expect(answer.status, 'status').to.equal(errorRow(wanted.refused).status);
    return;
  }
  if (answer.status >= 400)
    expect.fail(`answered ${answer.status}: ${new TextDecoder().decode(answer.bytes.subarray(0, 2000))}`);
  if (wanted.dropped === true) {
    expect(answer.status, 'status of a dropped file').to.equal(204);
    return;
  }
  expect(answer.status, 'status').to.equal(200);
  const { returns } = operation;
  if ('json' in returns) {
    const body = answer.json<Record<string, unknown>>();
    holdToDeclaration(operation.path, returns.json, body);
    for (const [member, value] of Object.entries(wanted.json ?? {}))
      expect(body[member], `member ${member}`).to.deep.equal(value);
    return;
  }
  await checkFiles(
    subject,
    operation,
    returns,
    example,
    outputsOf(answer, expectedKind(operation, undefined, validParams(operation, example))),
  );
}

interface Output {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of an answer: the entries of a zip, unless the zip itself is the result. */
function outputsOf(answer: OperationAnswer, kind: string | undefined): Output[] {
  const name = answer.fileName ?? '';
  if (
    kind !== 'zip' &&
    name.toLowerCase().endsWith('.zip') &&
    sniffKind(answer.bytes.subarray(0, 1029), name) === 'zip'
  )
    return readZip(answer.bytes);
  return [{ name, bytes: answer.bytes }];
}

async function checkFiles(
  subject: Subject,
  operation: AnyOperation,
  returns: FileReturns<unknown>,
  example: Example<unknown>,
  outputs: readonly Output[],
): Promise<void> {
  const params = validParams(operation, example);
  const inputs = example.files.map((name) => ({ name, bytes: subject.fixture(name) }));
  const first = inputs[0];
  const kind = expectedKind(operation, first === undefined ? undefined : shownKind(first.bytes, first.name), params);
  if (example.expect.names !== undefined)
    expect(
      outputs.map(({ name }) => name),
      'names',
    ).to.deep.equal(example.expect.names);
  if (returns.many === undefined && operation.files === 'all') expect(outputs, 'outputs').to.have.length(1);
  const passwords = passwordsOf(operation, params);
  const pages: number[] = [];
  for (const { name, bytes } of outputs) {
    expect(name, 'file name').not.to.equal('');
    const shown = shownKind(bytes, name);
    if (kind !== undefined && returns.also?.some((other) => other === shown) !== true)
      expect(shown, `file type of ${name} by its first bytes`).to.equal(kind);
    if (shown === 'json' && returns.holds !== undefined)
      holdToDeclaration(`${operation.path}: ${name}`, returns.holds, JSON.parse(new TextDecoder().decode(bytes)));
    if (shown === 'pdf') pages.push((await reopen(name, bytes, passwords.result)).pages);
  }
  if (example.expect.pages !== undefined) expect(pages, 'page counts').to.deep.equal(example.expect.pages);
  const rule = returns.pages;
  if (rule === undefined || rule === 'any' || kind !== 'pdf') return;
  const before = await Promise.all(
    inputs.map(async ({ name, bytes }) =>
      shownKind(bytes, name) === 'pdf' ? (await readPdf(bytes, passwords.input)).pages : 1,
    ),
  );
  const total = rule === 'same' ? before.reduce((sum, count) => sum + count, 0) : rule(before, params);
  expect(
    pages.reduce((sum, count) => sum + count, 0),
    'pages by the declared rule',
  ).to.equal(total);
}

/**
 * Opens a PDF result, with its password if it has one, saves a copy and opens that: both must have the same pages and
 * text.
 */
async function reopen(name: string, bytes: Uint8Array, password: string | undefined): Promise<PdfFacts> {
  const facts = await readPdf(bytes, password);
  expect(facts.pages, `pages of ${name}`).to.be.greaterThan(0);
  const copy = await readPdf(await resavePdf(bytes, password === undefined ? {} : { password, removeSecurity: true }));
  expect(copy.pages, `pages of a saved copy of ${name}`).to.equal(facts.pages);
  expect(copy.text, `text of a saved copy of ${name}`).to.deep.equal(facts.text);
  return facts;
}
