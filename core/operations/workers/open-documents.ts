import { stat } from 'node:fs/promises';
import type { Damage, PdfFacts } from '@quire/document/file/inspection';
import { errorText, isQuireError } from '@quire/registry';
import { inFile } from '../runner/blame-input.js';
import { isPdf } from '../runner/operation-run.js';
import type { DocumentFact, Inspection, InspectOptions, InvoiceTexts, RunDocuments } from '../runner/run-documents.js';
import { lazily } from './lazily.js';
import type { SignatureFacts, WireFile } from './wire-file.js';
import { zipFiles } from './zip-files.js';

/** Opens documents in this worker. The document library is loaded by the first call. */
export const workerDocuments: RunDocuments = {
  inspect,
  findSignatures,
  damageMet,
  checkSyntax,
  needsRepair: async ({ path }) => (await inspection()).needsRepair({ path }),
  reopen: async ({ path }, { expected, password }) =>
    (await (await inspection()).inspectResult({ path }, expected, password)).pages,
  soundIdentities,
  countPages,
  countModelPages,
  factOf,
  invoiceTexts,
  authorsOf,
  stamp,
  zip: zipFiles,
};

const inspection = lazily(() => import('@quire/document/file/inspection'));
const sources = lazily(() => import('@quire/document/file/source'));
const metadata = lazily(() => import('@quire/document/structure/metadata'));

async function inspect(
  files: readonly WireFile[],
  maxPages: number,
  { raw = false, ...options }: InspectOptions,
): Promise<Inspection> {
  const pages: number[] = [];
  const signatures: SignatureFacts[] = [];
  const [repaired, lost, damaged]: [string[], string[], string[]] = [[], [], []];
  const [{ inspectPdf }, { isStill }] = await Promise.all([inspection(), sources()]);
  for (const [at, file] of files.entries()) {
    if (!isPdf(file)) {
      signatures.push({ signed: false });
      continue;
    }
    const { signed, certified, ...facts } = await inspectPdf(
      { path: file.path },
      {
        ...(raw ? { allowLocked: true } : { maxPages }),
        findDamage: true,
        sound: file.sound !== undefined && isStill(file.sound, file.path),
        ...options,
      },
    ).catch((error: unknown) => {
      const fault = inFile(error, 'fileInput', files, at);
      if (!raw) throw fault;
      return unopened(fault);
    });
    if (!raw) pages.push(facts.pages);
    const found = named(facts.damage ?? { repaired: [], lost: [] }, file, files.length);
    if (found.repaired.length + found.lost.length > 0) damaged.push(file.path);
    repaired.push(...found.repaired);
    lost.push(...found.lost);
    signatures.push(certified === undefined ? { signed } : { signed, certified });
  }
  return { pages, signatures, damage: { repaired, lost }, damaged };
}

/** The facts about a file that only its operation may refuse. */
function unopened(fault: unknown): Pick<PdfFacts, 'pages' | 'signed' | 'certified' | 'damage'> {
  const damage = isQuireError(fault) && ['PDF_DAMAGED', 'PDF_NO_PAGES'].includes(fault.code);
  const lost = damage ? [errorText(fault.code, fault.data)] : [];
  return { pages: 0, signed: false, damage: { repaired: [], lost } };
}

/** Names the file in each sentence if there are several. */
function named({ repaired, lost }: Damage, { name }: WireFile, files: number): Damage {
  const which = (sentence: string): string => (files > 1 ? `${name}: ${sentence}` : sentence);
  return { repaired: repaired.map(which), lost: lost.map(which) };
}

async function damageMet(files: readonly WireFile[], known: readonly string[]): Promise<Damage> {
  const { faultsInRun } = await sources();
  const met = faultsInRun();
  const found = files.flatMap((file) => {
    const faults = known.includes(file.path) ? undefined : met.get(file.path);
    return faults === undefined ? [] : [named(faults, file, files.length)];
  });
  return { repaired: found.flatMap(({ repaired }) => repaired), lost: found.flatMap(({ lost }) => lost) };
}

async function checkSyntax(
  files: readonly WireFile[],
  { password }: { readonly password?: string },
): Promise<string | undefined> {
  const { checkSyntax: check } = await inspection();
  return check(
    files.map(({ path }) => path),
    password,
  );
}

async function soundIdentities(files: readonly WireFile[]): Promise<(string | undefined)[]> {
  const { soundIdentity } = await sources();
  return files.map(({ path }) => soundIdentity(path));
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

async function authorsOf(files: readonly WireFile[]): Promise<(string | null)[]> {
  const { documentAuthor } = await metadata();
  const authors: (string | null)[] = [];
  for (const file of files) authors.push(isPdf(file) ? ((await documentAuthor({ path: file.path })) ?? null) : null);
  return authors;
}

async function stamp(...[{ path }, target, values, options]: Parameters<RunDocuments['stamp']>) {
  const { stampResult } = await metadata();
  const done = await stampResult(path, target, values, { ...options, modified: new Date() });
  return done ? (await stat(target)).size : undefined;
}

async function isOrHasInvoice(path: string, kind: WireFile['kind']): Promise<boolean> {
  const { hasInvoice, isInvoice } = await import('@quire/document/structure/invoices');
  if (kind === 'xml') {
    const [{ fileHead }, { ROOT_HEAD_BYTES }] = await Promise.all([
      sources(),
      import('@quire/document/invoices/recognition'),
    ]);
    return isInvoice(await fileHead(path, ROOT_HEAD_BYTES));
  }
  const { withPdf } = await import('@quire/document/file/open');
  return withPdf({ path }, { repair: false }, ({ document: { context } }) => hasInvoice(context));
}

async function invoiceTexts({ path, kind }: WireFile): Promise<InvoiceTexts> {
  const { readInvoiceFile } = await import('@quire/document/structure/invoices/reading');
  const { invoice } = (await readInvoiceFile(path, kind)).read;
  return {
    number: invoice.number ?? '',
    date: invoice.issueDate ?? '',
    due: invoice.dueDate ?? '',
    type: invoice.typeCode ?? '',
    seller: invoice.seller?.name ?? '',
    buyer: invoice.buyer?.name ?? '',
    total: invoice.totals?.withVat ?? '',
    currency: invoice.currency ?? '',
  };
}

async function factOf({ path, kind }: WireFile, fact: DocumentFact): Promise<number | boolean> {
  if (fact === 'invoice') return isOrHasInvoice(path, kind);
  if (fact === 'hasText') {
    const { containsText } = await import('@quire/document/content/text');
    return containsText({ path }, undefined, (pages) => Array.from({ length: pages }, (_, page) => page));
  }
  const { inspectPdf } = await inspection();
  const lockedToo = fact === 'encrypted' || fact === 'locked';
  const { opensWithoutPassword, ...facts } = await inspectPdf({ path }, { allowLocked: lockedToo });
  return fact === 'locked' ? !opensWithoutPassword : facts[fact];
}
