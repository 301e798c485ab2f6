import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { AnyOperation, Example, OutputFile, RunContext } from '@quire/registry';
import { holdsText, withEarlierRevision } from '../earlier-revision.js';
import { runDirectly, shownKind } from './direct-run.js';
import type { Subject, TestContext, TestRunner } from './subject.js';

const mark = 'Quire: text of an earlier revision only';

/** Services that a fake context has. */
const offered = ['logger', 'clock', 'settings', 'rebuildPdf', 'convertColours'];

/**
 * Tests that an operation writes PDFs as it declares, on documents with an earlier revision that contains its own text.
 */
export function writingSection(subject: Subject, { it }: TestRunner): void {
  for (const operation of subject.operations) {
    const { path, writes } = operation;
    const waits =
      operation.runsIn === 'host' || (operation.needs?.services ?? []).some(({ name }) => !offered.includes(name));
    if (writes === undefined || waits) continue;
    const when = writes === 'append' ? ' where it must not append' : '';
    it(`${path} keeps no earlier revision${when}`, async function (this: TestContext) {
      const run = await runWithHistory(subject, operation, 'rewrite');
      if (run === undefined) return this.skip?.();
      for (const { name, bytes } of run.outputs)
        expect(holdsText(bytes, mark), `${name} contains the text of an earlier revision`).to.equal(false);
    });

    if (writes !== 'append') continue;
    it(`${path} appends to the unchanged bytes of its input`, async function (this: TestContext) {
      const run = await runWithHistory(subject, operation, 'append');
      if (run === undefined) return this.skip?.();
      for (const { name, bytes } of run.outputs) {
        expect(
          run.inputs.some((input) => Buffer.from(bytes).subarray(0, input.length).equals(input)),
          `${name} begins with the bytes of its input`,
        ).to.equal(true);
      }
    });
  }
}

interface Written {
  readonly inputs: readonly Uint8Array[];
  readonly outputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Runs the first example that works on plain PDFs, with a history added to each; undefined where there is none. */
async function runWithHistory(
  subject: Subject,
  operation: AnyOperation,
  writing: RunContext['writing'],
): Promise<Written | undefined> {
  const found = await plainExample(subject, operation);
  if (found === undefined) return undefined;
  const { example, files } = found;
  const run = await runDirectly(subject, operation, example, { writing, files });
  if (run.error !== undefined) throw run.error;
  const results = (run.result ?? []) as readonly OutputFile[];
  const outputs: { name: string; bytes: Uint8Array }[] = [];
  for (const output of results) {
    const bytes = await run.read(output);
    if (shownKind(bytes, output.name) === 'pdf') outputs.push({ name: output.name, bytes });
  }
  expect(outputs, 'PDFs in the output').not.to.have.length(0);
  return { inputs: [...files.values()], outputs };
}

async function plainExample(
  subject: Subject,
  operation: AnyOperation,
): Promise<{ example: Example<unknown>; files: Map<string, Uint8Array> } | undefined> {
  for (const example of operation.examples as readonly Example<unknown>[]) {
    if (example.expect.refused !== undefined || example.expect.dropped === true) continue;
    const files = new Map<string, Uint8Array>();
    for (const name of example.files) {
      const bytes = subject.fixture(name);
      if (shownKind(bytes, name) === 'pdf' && (await isPlain(bytes)))
        files.set(name, await withEarlierRevision(bytes, mark));
    }
    if (files.size === example.files.length) return { example, files };
  }
  return undefined;
}

/** Returns whether a PDF is neither encrypted nor damaged: only then can a history be added. */
async function isPlain(bytes: Uint8Array): Promise<boolean> {
  try {
    return (await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true })).getPageCount() > 0;
  } catch {
    return false;
  }
}
