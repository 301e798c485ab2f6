import { expect } from 'chai';
import type { AnyOperation, ConcreteKind, Example } from '@quire/registry';
import { fileKinds, passwordsOf } from '@quire/registry';
import { type OperationAnswer, callOperation, type FormFile } from '../call-operation.js';
import { readPdf } from '../expect-pdf.js';
import { type HostileFile, hostileFiles, hostileFilesOf } from '../hostile-files.js';
import { validParams } from './direct-run.js';
import type { TestHost } from './host.js';
import { holdSuccess } from './json-answer.js';
import { isDeclared } from './run-section.js';
import { type Subject, type TestContext, type TestRunner, programNote } from './subject.js';

/** An operation that hangs on a file fails after this many milliseconds instead of at its own limit. */
const patience = 10_000;
/** Files that each operation of a sample gets: core refuses most of them before an operation runs. */
const SOME_FILES = 3;

/**
 * Tests that every operation handles damaged, misleading and encrypted input: a declared refusal or a correct result,
 * never a hang or a 5xx.
 */
export function refusalSection(subject: Subject, { it }: TestRunner, host: () => Promise<TestHost>): void {
  for (const [turn, operation] of subject.operations.entries()) {
    const base = baseOf(operation);
    if (operation.accepts.length > 0)
      it(`${operation.path} requires a file${programNote(operation)}`, async function (this: TestContext) {
        const answer = await callOperation((await host()).url, {
          path: operation.path,
          parts: partsOf(subject, base),
          params: base.params as Record<string, unknown>,
          timeoutMs: patience,
        });
        if (answer.code === 'PROGRAM_MISSING') return this.skip?.();
        expect(answer.status, 'status').to.equal(400);
        expect(answer.code, 'code').to.equal('INPUT_FILE_MISSING');
      });
    const files = hostileTo(operation);
    // Operations that read raw bytes open them themselves.
    for (const file of operation.input === 'raw' ? files : subject.some(files, SOME_FILES, turn)) {
      it(`${operation.path} handles ${file.title}${programNote(operation)}`, async function (this: TestContext) {
        await survives(this, subject, operation, base, file, (await host()).url);
      });
    }
  }
}

/** The additional files of an example. */
function partsOf(subject: Subject, { parts = {} }: Example<unknown>): Record<string, FormFile> {
  return Object.fromEntries(
    Object.entries(parts).map(([field, name]) => [field, { name, bytes: subject.fixture(name) }]),
  );
}

async function survives(
  context: TestContext,
  subject: Subject,
  operation: AnyOperation,
  base: Example<unknown>,
  file: HostileFile,
  url: string,
): Promise<void> {
  const good =
    operation.files === 'all' ? base.files.slice(0, 1).map((name) => ({ name, bytes: subject.fixture(name) })) : [];
  const answer = await callOperation(url, {
    path: operation.path,
    files: [...good, file],
    parts: partsOf(subject, base),
    params: base.params as Record<string, unknown>,
    timeoutMs: patience,
  });
  if (answer.code === 'PROGRAM_MISSING') {
    context.skip?.();
    return;
  }
  if (isWithoutService(operation, answer)) return;
  const body = new TextDecoder().decode(answer.bytes.subarray(0, 500));
  if (answer.status >= 400) {
    expect(answer.status, `status, with ${body}`).to.be.lessThan(500);
    expect(answer.code, 'problem code').to.be.a('string');
    expect(isDeclared(operation, answer.code ?? ''), `${answer.code} is declared`).to.equal(true);
    return;
  }
  // An operation that reads raw bytes may be able to process them: repair repairs, a password operation decrypts.
  const mayWork = file.mayWork || operation.input === 'raw' || operation.accepts.includes('any');
  expect(mayWork && file.bytes.length > 0, `answered ${answer.status} to ${file.title}`).to.equal(true);
  holdSuccess(operation, answer);
  // A filter may check a file from outside and return it byte for byte.
  if (Buffer.from(answer.bytes).equals(file.bytes)) return;
  const head = new TextDecoder('latin1').decode(answer.bytes.subarray(0, 5));
  if (head === '%PDF-')
    expect(
      (await readPdf(answer.bytes, passwordsOf(operation, validParams(operation, base)).result)).pages,
      'pages of the result',
    ).to.be.greaterThan(0);
}

/**
 * Returns whether an operation that calls other machines refuses because none is configured or they are blocked: that
 * is a valid answer here.
 */
export function isWithoutService(operation: AnyOperation, { code }: OperationAnswer): boolean {
  // A service of another plugin, which some calls need and others do not.
  if (code === 'SERVICE_NOT_SET_UP' && operation.needs?.services?.some(({ offered }) => offered === true) === true)
    return true;
  return (
    (code === 'SERVICE_NOT_SET_UP' || code === 'ADDRESS_REFUSED' || code === 'URL_UNREACHABLE') &&
    operation.effects?.includes('needsNetwork') === true
  );
}

/** The example whose parameters and additional files a hostile file is sent with. */
export function baseOf(operation: AnyOperation): Example<unknown> {
  const examples = operation.examples as readonly Example<unknown>[];
  const [first] = examples;
  if (first === undefined) throw new Error(`${operation.path} has no example`);
  return examples.find((example) => example.expect.refused === undefined && example.expect.dropped !== true) ?? first;
}

function hostileTo(operation: AnyOperation): readonly HostileFile[] {
  if (operation.accepts.includes('pdf') || operation.accepts.includes('any')) return hostileFiles();
  const kinds = operation.accepts.filter((kind): kind is ConcreteKind => kind in fileKinds);
  const kind = kinds[0];
  return kind === undefined ? [] : hostileFilesOf(kind);
}
