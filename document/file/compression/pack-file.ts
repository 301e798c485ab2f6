import { PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import { guardDocument, type OpenedPdf, withPdf, type WriteOptions, writePdf } from '../open/index.js';
import { forbidsObjectStreams } from '../writer/index.js';
import { joinIdentical } from './join-identical.js';
import { packStreams, type PackLimits } from './pack-streams.js';
import { insertAttributes, separateResources } from './place-dictionaries.js';
import { slimFonts } from './slim-fonts.js';

const TYPE = PDFName.of('Type');
/** Streams of the file's structure, which are rewritten in any case. */
const STRUCTURE: ReadonlySet<unknown> = new Set([PDFName.of('ObjStm'), PDFName.of('XRef')]);

/**
 * Rewrites a PDF as small as possible without loss: objects in object streams, streams compressed, identical streams
 * joined, unreferenced objects left out. Throws the errors of `openPdf`.
 */
export async function packFile(source: string, target: string): Promise<void> {
  await withPdf({ path: source }, {}, (opened) => guardDocument('fileInput', () => writePacked(opened, target)));
}

export interface PackOptions extends WriteOptions, Pick<PackLimits, 'sampled' | 'leaveDeflated'> {
  /** Compressed streams of more bytes stay as they are, where time matters more than the last percent. */
  readonly maxStreamBytes?: number;
  /** Removes the tables from embedded TrueType programs that drawing does not need. */
  readonly slimFonts?: boolean;
}

/** The same with an open document. One that claims PDF/A-1 keeps its cross-reference table, as that requires. */
export async function writePacked(opened: OpenedPdf, target: string, options: PackOptions = {}): Promise<void> {
  const { context } = opened.document;
  const objectStreams = options.objectStreams ?? !forbidsObjectStreams(context);
  const all = context.enumerateIndirectObjects();
  const fonts = options.slimFonts === true ? slimFonts(context, all) : new Map<PDFRef, PDFRawStream>();
  const objects = fonts.size === 0 ? all : all.map(([ref, object]) => [ref, fonts.get(ref) ?? object] as const);
  const streams = objects.filter(
    (entry): entry is readonly [PDFRef, PDFRawStream] =>
      entry[1] instanceof PDFRawStream && !STRUCTURE.has(entry[1].dict.get(TYPE)),
  );
  const different = joinIdentical(context, streams, objects);
  insertAttributes(context, objects);
  if (objectStreams) separateResources(context, different);
  await packStreams(
    context,
    different.filter(([ref]) => !fonts.has(ref)),
    { maxBytes: options.maxStreamBytes, sampled: options.sampled, leaveDeflated: options.leaveDeflated },
  );
  writePdf(opened, target, { ...options, objectStreams });
}
