import { withPdf, editFile, type OpenedPdf } from '@quire/document/file/open';
import type { ImagesInstead } from '@quire/document/engines/rendering';
import { claimsGoal, convertToPdfA, type PdfAEngines, type PdfAWay } from '@quire/document/standards/pdfa';
import { listAttachments, type NewAttachment, packFile } from '@quire/document/structure/attachments';
import { embedInvoice, findInvoices, invoiceFileNames, removeInvoices } from '@quire/document/structure/invoices';
import { distinctNames } from '@quire/document/structure/names';
import { InputError } from '@quire/registry/errors';
import type { EmbeddingPlan } from './embedding-plan.js';

export interface FileToEmbed {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
}

export interface Embedding {
  readonly plan: EmbeddingPlan;
  /** Path of the XML. */
  readonly xml: string;
  readonly supplements: readonly FileToEmbed[];
  /** What happens to an invoice that the PDF has already. */
  readonly existing: 'refuse' | 'replace';
}

export interface EmbedOptions {
  readonly now: Date;
  /** An empty folder for intermediate files. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface EmbeddedFacts {
  readonly profile: string;
  readonly attachment: string;
  readonly relationship: string;
  /** How the document became PDF/A-3; `kept` if it was before. */
  readonly way: PdfAWay;
  /** False where no validator is installed. */
  readonly checked: boolean;
  /** Number of invoices that were replaced. */
  readonly replaced: number;
  /** Number of supporting documents. */
  readonly supplements: number;
  /** Actions and annotations that PDF/A-3 forbids and that were removed. */
  readonly lostActions: number;
  readonly lostAnnotations: number;
}

export interface Embedded {
  /** In the scratch folder. */
  readonly path: string;
  readonly facts: EmbeddedFacts;
  /** Present when a program could not draw the document and its pages became images. */
  readonly images?: ImagesInstead;
}

const PDFA_3B = { part: 3, level: 'B' } as const;
const STEPS = 3;

/**
 * Makes a hybrid invoice of a PDF and an XML: PDF/A-3, converted if the document is not, with the XML and supporting
 * documents embedded. Throws INVOICE_EXISTS, ATTACHMENT_NAME_TAKEN, PDFA_IMPOSSIBLE, and the errors of `withPdf` and
 * `convertToPdfA`.
 */
export async function embedInPdf(
  source: string,
  embedding: Embedding,
  engines: PdfAEngines,
  options: EmbedOptions,
): Promise<Embedded> {
  // XMP would store fractions of a second, which the information dictionary cannot, and the two must match.
  const now = new Date(Math.floor(options.now.getTime() / 1000) * 1000);
  const { path: cleared, replaced, claimed } = await withoutInvoice(source, embedding, options);
  options.progress(1, STEPS);
  const facts = (way: PdfAWay, checked: boolean): EmbeddedFacts => ({
    profile: embedding.plan.profile.title,
    attachment: embedding.plan.fileName,
    relationship: embedding.plan.relationship,
    way,
    checked,
    replaced,
    supplements: embedding.supplements.length,
    lostActions: 0,
    lostAnnotations: 0,
  });
  if (claimed) {
    const path = await fill(cleared, 'claimed', embedding, { ...options, now });
    const check = await engines.check(path, PDFA_3B);
    if (check?.compliant !== false) return { path, facts: facts('kept', check !== undefined) };
  }
  const { images, ...converted } = await convertToPdfA(cleared, PDFA_3B, engines, {
    folder: `${options.scratch}/pdfa`,
    now,
    strict: true,
    signal: options.signal,
  });
  if (converted.claims === undefined) throw impossible('no validator is installed, and no program confirms the result');
  options.progress(2, STEPS);
  const path = await fill(converted.path, 'converted', embedding, { ...options, now });
  const check = await engines.check(path, PDFA_3B);
  if (check?.compliant === false)
    throw impossible(`with the invoice it breaks ${check.broken.length} rules: ${check.broken.slice(0, 3).join('; ')}`);
  return {
    path,
    facts: {
      ...facts(converted.way, check !== undefined),
      lostActions: converted.actions,
      lostAnnotations: converted.annotations,
    },
    ...(images === undefined ? {} : { images }),
  };
}

/** The document without the invoice that it has, in a file of its own if it had one. */
async function withoutInvoice(
  source: string,
  { existing, supplements }: Embedding,
  { scratch }: EmbedOptions,
): Promise<{ readonly path: string; readonly replaced: number; readonly claimed: boolean }> {
  const { count, claimed } = await withPdf({ path: source }, { repair: false }, (opened) => {
    const { context } = opened.document;
    const { invoices } = findInvoices(context, opened.pages);
    const [first] = invoices;
    if (first !== undefined && existing === 'refuse')
      throw new InputError('INVOICE_EXISTS', { field: 'fileInput', found: first.filename }, [
        { pointer: '/fileInput', detail: `it carries "${first.filename}"` },
      ]);
    refuseTakenNames(opened, supplements, new Set(invoices.map(({ spec }) => spec)));
    return { count: invoices.length, claimed: !opened.decrypted && claimsGoal(context, PDFA_3B) };
  });
  if (count === 0) return { path: source, replaced: 0, claimed };
  const path = `${scratch}/cleared.pdf`;
  await editFile(source, path, { mode: 'rewrite', stamp: false }, (opened) =>
    removeInvoices(opened, findInvoices(opened.document.context, opened.pages).invoices),
  );
  return { path, replaced: count, claimed };
}

/** Supporting documents keep their names, and replace nothing that is in the document. */
function refuseTakenNames(
  { document: { context } }: OpenedPdf,
  supplements: readonly FileToEmbed[],
  going: ReadonlySet<unknown>,
): void {
  const kept = listAttachments(context).filter(({ spec }) => !going.has(spec));
  const taken = new Set([...kept.map(({ name }) => name), ...invoiceFileNames].map((name) => name.toLowerCase()));
  for (const { name } of supplements)
    if (taken.has(name.toLowerCase()))
      throw new InputError('ATTACHMENT_NAME_TAKEN', { field: 'supplements', found: name }, [
        { pointer: '/supplements', detail: `"${name}" is the name of an attachment, or of invoices` },
      ]);
}

/** Writes the document with its new attachments. */
async function fill(
  source: string,
  label: string,
  { plan, xml, supplements }: Embedding,
  { now, scratch, signal }: EmbedOptions,
): Promise<string> {
  const path = `${scratch}/${label}.pdf`;
  const nameFor = distinctNames();
  await editFile(source, path, { mode: 'rewrite', stamp: false, protection: 'none' }, async (opened) => {
    const { context } = opened.document;
    const packed = async (from: string, n: number) => {
      const { stream, size, checksum } = await packFile(context, from, `${scratch}/${label}-${n}`, signal);
      return { file: stream, size, checksum, modified: now };
    };
    const files: NewAttachment[] = [
      {
        ...(await packed(xml, 0)),
        name: plan.fileName,
        mediaType: 'text/xml',
        description: 'Invoice',
        relationship: plan.relationship,
      },
    ];
    for (const [i, { name, path: from, mediaType }] of supplements.entries())
      files.push({
        ...(await packed(from, i + 1)),
        name: nameFor(name),
        mediaType,
        description: name,
        relationship: 'Supplement',
      });
    if (!embedInvoice(opened, files, plan, now)) throw impossible('its XMP metadata cannot be extended');
  });
  return path;
}

function impossible(detail: string): InputError {
  const { part, level } = PDFA_3B;
  return new InputError('PDFA_IMPOSSIBLE', { field: 'fileInput', part, level: level.toLowerCase(), detail });
}
