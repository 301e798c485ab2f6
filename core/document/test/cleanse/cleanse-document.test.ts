import { expect } from 'chai';
import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFObject, PDFRawStream, type PDFRef, PDFString, StandardFonts } from 'pdf-lib';
import { cleanseDocument, type Cleansing, type TextFinder } from '../../cleanse/index.js';
import { elements, entry, readNameTree } from '../../objects/index.js';
import { openPdf, pdfBytes } from '../../open/index.js';
import { allFieldNodes, fullName, readFields } from '../../parts/index.js';
import { runQpdf } from '../../qpdf/index.js';

/** Finds every occurrence of a word, in any case. */
const word = (term: string): TextFinder => (text) => [...text.toLowerCase().matchAll(new RegExp(term.toLowerCase(), 'g'))].map(({ index, 0: { length } }) => [index, index + length] as const);
const secret = word('secret');

async function blank(pages = 1): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (let i = 0; i < pages; i++) document.addPage([200, 200]);
  return document;
}

async function cleansed(document: PDFDocument, what: Cleansing = { find: secret }): Promise<{ readonly document: PDFDocument; readonly counts: Awaited<ReturnType<typeof cleanseDocument>>; readonly bytes: Uint8Array }> {
  const opened = await openPdf(await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }));
  const counts = await cleanseDocument(opened, what);
  const bytes = pdfBytes(opened);
  return { document: await PDFDocument.load(bytes, { updateMetadata: false }), counts, bytes };
}

/** Every way in which a text could be read in a file: qpdf unpacks all streams; strings of UTF-16 lose their zeros. */
async function readable(bytes: Uint8Array): Promise<string> {
  const { files } = await runQpdf(['--qdf', '--object-streams=disable', '--stream-data=uncompress', '--decode-level=all', 'in.pdf', 'out.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] });
  const plain = Buffer.from(files['out.pdf'] ?? new Uint8Array()).toString('latin1');
  const hex = [...plain.matchAll(/<((?:[\da-f]{2}\s*)+)>/gi)].map(([, digits = '']) => Buffer.from(digits.replaceAll(/\s/g, ''), 'hex').toString('latin1'));
  return [plain, ...hex].join('\n').replaceAll('\0', '');
}

const put = (dict: PDFDict, key: string, value: PDFObject): void => dict.set(PDFName.of(key), value);

function stream(document: PDFDocument, text: string, dict: Record<string, unknown> = {}): PDFRef {
  return document.context.register(document.context.flateStream(text, dict as never));
}

function annotate(document: PDFDocument, dict: Record<string, unknown>, page = 0): PDFDict {
  const annotation = document.context.obj({ Type: 'Annot', Rect: [10, 10, 60, 30], ...dict } as never) as PDFDict;
  document.getPage(page).node.addAnnot(document.context.register(annotation));
  return annotation;
}

describe('Taking out of a document what redaction must not leave beside its pages', () => {
  it('cuts the found words out of strings and keeps how these are written', async () => {
    const document = await blank();
    document.setTitle('Report');
    const { context } = document;
    const info = context.lookup(context.trailerInfo.Info, PDFDict);
    put(info, 'Plain', PDFString.of('The Secret plan'));
    put(info, 'Wide', PDFHexString.fromText('Der Secret-Plan für Łódź'));
    put(info, 'Utf8', PDFHexString.of(Buffer.from('\ufeffle secret d’été').toString('hex')));
    put(info, 'Soft', PDFHexString.fromText('a se\u00adcr\u200bet here'));
    put(info, 'Accent', PDFString.of('caf\\351 secret'));
    const result = await cleansed(document);
    const after = result.document.context.lookup(result.document.context.trailerInfo.Info, PDFDict);
    const bytes = (key: string): Buffer => Buffer.from((after.get(PDFName.of(key)) as PDFHexString).asBytes());
    expect(bytes('Plain').toString('latin1')).to.equal('The  plan');
    expect((after.get(PDFName.of('Wide')) as PDFHexString).decodeText()).to.equal('Der -Plan für Łódź');
    expect(bytes('Utf8').toString('utf8')).to.equal('\ufeffle  d’été');
    expect((after.get(PDFName.of('Soft')) as PDFHexString).decodeText()).to.equal('a  here');
    expect(bytes('Accent').toString('latin1')).to.equal('café');
    expect(result.document.getTitle()).to.equal('Report');
  });
});
void [inflateSync, PDFArray, PDFRawStream, StandardFonts, elements, entry, readNameTree, allFieldNodes, fullName, readable, stream, annotate];
