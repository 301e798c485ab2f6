import { writeFile } from 'node:fs/promises';
import type { Language } from '@quire/document/invoices/labels';
import type { PdfAEngines } from '@quire/document/standards/pdfa';
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

/** Makes the hybrid PDF of an invoice. Throws what `embedInPdf` throws. */
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
  return embedInPdf(source, { plan, xml: xmlPath, supplements: [], existing: 'refuse' }, engines, options);
}
