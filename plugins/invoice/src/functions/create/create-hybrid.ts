import { writeFile } from 'node:fs/promises';
import type { Language } from '@quire/document/invoices/labels';
import type { PdfAEngines } from '@quire/document/standards/pdfa';
import { errorRow, isQuireError, QuireError } from '@quire/registry/errors';
import { type Embedded, embedInPdf, type EmbedOptions } from '../hybrid/embed-in-pdf.js';
import { planEmbedding } from '../hybrid/embedding-plan.js';
import { renderPdf } from '../render-pdf.js';
import { shownOf } from '../view/view-invoice.js';
import type { CreatedXml } from './create-xml.js';

/** The page of a hybrid invoice: a PDF, or one that is made in this language. */
export interface HybridPage {
  readonly page: string | undefined;
  readonly language: Language;
}

/** Makes the hybrid PDF of an invoice. Throws what `embedInPdf` throws, about the field `page` where one is given. */
export async function createHybrid(
  { xml, read }: CreatedXml,
  { page, language }: HybridPage,
  engines: PdfAEngines,
  options: EmbedOptions,
): Promise<Embedded> {
  const { scratch, now, signal } = options;
  const xmlPath = `${scratch}/invoice.xml`;
  const bytes = Buffer.from(xml);
  await writeFile(xmlPath, bytes);
  let source = page;
  if (source === undefined) {
    source = `${scratch}/page.pdf`;
    await writeFile(source, (await renderPdf(shownOf(read), language, { now, signal })).bytes);
  }
  const plan = planEmbedding(bytes);
  try {
    return await embedInPdf(source, { plan, xml: xmlPath, supplements: [], existing: 'refuse' }, engines, options);
  } catch (error) {
    throw page === undefined ? error : asFaultOfPage(error);
  }
}

/** The document is in the field `page` here: "fileInput" is the invoice. */
function asFaultOfPage(error: unknown): unknown {
  if (!isQuireError(error) || errorRow(error.code).family !== 'input') return error;
  const faults = error.errors.map((fault) => (fault.pointer === '/fileInput' ? { ...fault, pointer: '/page' } : fault));
  return new QuireError(error.code, { ...error.data, field: 'page' }, faults, { cause: error });
}
