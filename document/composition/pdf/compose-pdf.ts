import { PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { savePdf } from '../../file/open/index.js';
import { TextFont } from '../../fonts/index.js';
import { srgbProfile } from '../../images/icc/index.js';
import { claimPdfA, PRODUCER, setOutputIntent } from '../../standards/pdfa/index.js';
import type { Composition } from '../model.js';
import { plainText } from '../plain-text.js';
import { flow } from './flow.js';
import { layOut } from './lay-out.js';
import { documentNode } from './nodes.js';
import { type Foot, type Frame, pageContent } from './page-contents.js';
import { writeStructure } from './structure.js';
import { Typesetter } from './typesetter.js';

/** A4 in points. */
const PAGE = { width: 595.276, height: 841.89 } as const;
const MARGIN = { left: 51, right: 51, top: 48, bottom: 58 } as const;
const FOOT = { size: 8, weight: 400, grey: 0.33, y: 32 } as const;

export interface ComposePdfOptions {
  /** Written as the time of creation. */
  readonly now: Date;
  readonly signal?: AbortSignal;
}

export interface ComposedPdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Characters that no built-in font has; the pages show question marks for them. */
  readonly replaced: readonly string[];
}

/**
 * Writes a document as PDF/A-3a on A4 pages (ISO 19005-3): tagged, all fonts embedded, the headers of tables repeated,
 * pages numbered. The same composition and time give the same bytes.
 */
export async function composePdf(composition: Composition, { now, signal }: ComposePdfOptions): Promise<ComposedPdf> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const font = new TextFont(document);
  const setter = new Typesetter(font);
  const root = documentNode();
  const frame: Frame = {
    left: MARGIN.left,
    bottom: MARGIN.bottom,
    width: PAGE.width - MARGIN.left - MARGIN.right,
  };
  const strips = await layOut(composition, root, setter, frame.width, signal);
  const pages = flow(strips, PAGE.height - MARGIN.top - MARGIN.bottom);
  const refs = [];
  for (const [index, page] of pages.entries()) {
    signal?.throwIfAborted();
    const foot = await footOf(composition.pageLabel, index + 1, pages.length, setter, frame.width);
    const { node, ref } = document.addPage([PAGE.width, PAGE.height]);
    const content = context.flateStream(pageContent(font, page, index, frame, foot));
    node.set(PDFName.of('Contents'), context.register(content));
    node.set(PDFName.of('Resources'), context.obj({ Font: { F: font.ref } }));
    node.set(PDFName.of('StructParents'), context.obj(index));
    node.set(PDFName.of('Tabs'), PDFName.of('S'));
    refs.push(ref);
  }
  font.embed();
  document.catalog.set(PDFName.of('StructTreeRoot'), writeStructure(context, root, refs));
  describe(document, composition, now);
  return {
    bytes: savePdf(document, { stamp: false, objectStreams: true }),
    pages: pages.length,
    replaced: [...setter.replaced],
  };
}

async function footOf(label: string, page: number, of: number, setter: Typesetter, width: number): Promise<Foot> {
  const text = label.replace('{page}', String(page)).replace('{pages}', String(of));
  const [line] = await setter.wrap(text, FOOT, width);
  return { line: line!, ...FOOT };
}

/** Language, title, metadata, output intent, and the claim that follows from all of it. */
function describe(document: PDFDocument, { language, title, author }: Composition, now: Date): void {
  const { catalog, context } = document;
  catalog.set(PDFName.of('Lang'), PDFString.of(language));
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  catalog.set(PDFName.of('ViewerPreferences'), context.obj({ DisplayDocTitle: true }));
  const info = context.obj({ CreationDate: PDFString.fromDate(now) });
  info.set(PDFName.of('Title'), PDFHexString.fromText(plainText(title)));
  if (author !== undefined) info.set(PDFName.of('Author'), PDFHexString.fromText(plainText(author)));
  context.trailerInfo.Info = context.register(info);
  setOutputIntent(context, srgbProfile());
  claimPdfA(context, { part: 3, level: 'A' }, PRODUCER, now);
}
