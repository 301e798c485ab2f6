import { inFile } from '../runner/blame-input.js';
import { isPdf } from '../runner/operation-run.js';
import type { Inspection, RunDocuments } from '../runner/run-documents.js';
import type { SignatureFacts, WireFile } from './wire-file.js';
import { zipFiles } from './zip-files.js';

/** Opens documents in this worker. The document library is loaded by the first call. */
export const workerDocuments: RunDocuments = {
  inspect,
  findSignatures,
  needsRepair: async ({ path }) => (await inspection()).needsRepair({ path }),
  opensWithoutPassword: async ({ path }) => (await inspection()).opensWithoutPassword({ path }),
  reopen: async ({ path }, { expected, password }) =>
    (await (await inspection()).inspectResult({ path }, expected, password)).pages,
  countPages,
  countModelPages,
  zip: zipFiles,
};

const inspection = () => import('@quire/document/file/inspection');

async function inspect(
  files: readonly WireFile[],
  maxPages: number,
  options: { readonly password?: string },
): Promise<Inspection> {
  const pages: number[] = [];
  const signatures: SignatureFacts[] = [];
  const [repaired, lost]: [string[], string[]] = [[], []];
  const which = (name: string, sentence: string): string => (files.length > 1 ? `${name}: ${sentence}` : sentence);
  const { inspectPdf } = await inspection();
  for (const [at, file] of files.entries()) {
    if (!isPdf(file)) {
      signatures.push({ signed: false });
      continue;
    }
    const { signed, certified, ...facts } = await inspectPdf(
      { path: file.path },
      { maxPages, findDamage: true, ...options },
    ).catch((error: unknown) => {
      throw inFile(error, 'fileInput', files, at);
    });
    pages.push(facts.pages);
    repaired.push(...(facts.damage?.repaired ?? []).map((sentence) => which(file.name, sentence)));
    lost.push(...(facts.damage?.lost ?? []).map((sentence) => which(file.name, sentence)));
    signatures.push(certified === undefined ? { signed } : { signed, certified });
  }
  return { pages, signatures, damage: { repaired, lost } };
}

async function findSignatures(files: readonly WireFile[]): Promise<SignatureFacts[]> {
  const { inspectSignatures } = await inspection();
  return Promise.all(
    files.map(async (file) => (isPdf(file) ? inspectSignatures({ path: file.path }) : { signed: false })),
  );
}

async function countPages(files: readonly WireFile[]): Promise<number[]> {
  const { inspectPdf } = await inspection();
  const counts: number[] = [];
  for (const { path } of files)
    counts.push(
      await inspectPdf({ path }).then(
        ({ pages }) => pages,
        () => 0,
      ),
    );
  return counts;
}

async function countModelPages(files: readonly WireFile[]): Promise<number[]> {
  const { withPdf } = await import('@quire/document/file/open');
  const counts: number[] = [];
  for (const { path } of files) counts.push(await withPdf({ path }, {}, ({ pages }) => pages.length).catch(() => 0));
  return counts;
}
