import { type PDFDict, PDFDocument, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import {
  redactDocumentData,
  type DocumentDataTargets,
  type TextFinder,
} from '../../../redaction/document-data/index.js';
import { openPdf, pdfBytes } from '../../../file/open/index.js';
import { runQpdf } from '../../../engines/qpdf/index.js';

/** Finds every occurrence of a word, ignoring case. */
const word =
  (term: string): TextFinder =>
  (text) =>
    [...text.toLowerCase().matchAll(new RegExp(term.toLowerCase(), 'g'))].map(
      ({ index, 0: { length } }) => [index, index + length] as const,
    );
const secret = word('secret');

export async function blank(pages = 1): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (let i = 0; i < pages; i++) document.addPage([200, 200]);
  return document;
}

export async function redacted(
  document: PDFDocument,
  what: DocumentDataTargets = { find: secret },
): Promise<{
  readonly document: PDFDocument;
  readonly counts: Awaited<ReturnType<typeof redactDocumentData>>;
  readonly bytes: Uint8Array;
}> {
  const opened = await openPdf(
    await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
  );
  const counts = await redactDocumentData(opened, what);
  const bytes = pdfBytes(opened);
  return { document: await PDFDocument.load(bytes, { updateMetadata: false }), counts, bytes };
}

/**
 * Returns everything in a file that may be read as text: qpdf decompresses all streams; null bytes are removed from
 * UTF-16 strings.
 */
export async function readable(bytes: Uint8Array): Promise<string> {
  const { files } = await runQpdf(
    ['--qdf', '--object-streams=disable', '--stream-data=uncompress', '--decode-level=all', 'in.pdf', 'out.pdf'],
    { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] },
  );
  const plain = Buffer.from(files['out.pdf'] ?? new Uint8Array()).toString('latin1');
  const hex = [...plain.matchAll(/<((?:[\da-f]{2}\s*)+)>/gi)].map(([, digits = '']) =>
    Buffer.from(digits.replaceAll(/\s/g, ''), 'hex').toString('latin1'),
  );
  return [plain, ...hex].join('\n').replaceAll('\0', '');
}

export const put = (dict: PDFDict, key: string, value: PDFObject): void => dict.set(PDFName.of(key), value);

export function stream(document: PDFDocument, text: string, dict: Record<string, unknown> = {}): PDFRef {
  return document.context.register(document.context.flateStream(text, dict as never));
}

export function annotate(document: PDFDocument, dict: Record<string, unknown>, page = 0): PDFDict {
  const annotation: PDFDict = document.context.obj({
    Type: 'Annot',
    Rect: [10, 10, 60, 30],
    ...(dict as Record<string, string>),
  });
  document.getPage(page).node.addAnnot(document.context.register(annotation));
  return annotation;
}
