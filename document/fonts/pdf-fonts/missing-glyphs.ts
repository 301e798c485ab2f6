import { type PDFContext, PDFDict, PDFRawStream } from 'pdf-lib';
import { asDict, asName, elements, entry, resolve } from '../../file/objects/index.js';
import { decodedContent } from '../../structure/pages/index.js';
import { tableOf, tablesOf } from '../font-files/font-tables.js';
import { readToUnicode } from './simple-font.js';

/**
 * Returns characters that a document draws as the box of a missing glyph (.notdef, glyph 0). For documents of a program
 * that embeds each drawn glyph with its own code, such as LibreOffice, which embeds the box as one of them: at most one
 * character is known for each font, the first that was missing.
 */
export function missingCharacters(context: PDFContext): readonly string[] {
  const missing = new Set<string>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || asName(context, entry(object, 'Type')) !== 'Font') continue;
    const texts = readToUnicode(context, object)?.texts;
    const program = texts === undefined ? undefined : programOf(context, object);
    if (texts === undefined || program === undefined) continue;
    for (const code of boxCodes(program, asName(context, entry(object, 'Subtype')) === 'Type0')) {
      const text = texts.get(code)?.trim();
      // Controls and marks of direction have no shape in most fonts, and none is missed.
      if (text !== undefined && /[^\p{C}\p{Z}\ufe00-\ufe0f]/u.test(text)) missing.add(text);
    }
  }
  return [...missing];
}

/** The embedded TrueType program of a font. */
function programOf(context: PDFContext, font: PDFDict): Buffer | undefined {
  const [first] = elements(context, entry(font, 'DescendantFonts'));
  const descriptor = asDict(context, entry(asDict(context, first) ?? font, 'FontDescriptor'));
  const stream = descriptor === undefined ? undefined : resolve(context, entry(descriptor, 'FontFile2'));
  const bytes = stream instanceof PDFRawStream ? decodedContent(context, stream) : undefined;
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Codes whose glyph has the outline of .notdef. */
function boxCodes(program: Buffer, isComposite: boolean): readonly number[] {
  try {
    const tables = tablesOf(program);
    const [loca, glyf] = [tableOf(tables, 'loca'), tableOf(tables, 'glyf')];
    const isLong = tableOf(tables, 'head').readInt16BE(50) === 1;
    const at = (glyph: number): number => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
    const outline = (glyph: number): Buffer => glyf.subarray(at(glyph), at(glyph + 1));
    const box = outline(0);
    const count = tableOf(tables, 'maxp').readUInt16BE(4);
    const isBox = (glyph: number): boolean => glyph > 0 && glyph < count && outline(glyph).equals(box);
    if (box.length === 0) return [];
    if (isComposite) return Array.from({ length: count }, (_, glyph) => glyph).filter(isBox);
    const cmap = tableOf(tables, 'cmap');
    const codes = byteCodes(cmap);
    return Array.from({ length: 256 }, (_, code) => code).filter((code) => isBox(codes?.[code] ?? 0));
  } catch {
    // A font that cannot be read says nothing.
    return [];
  }
}

/** Glyphs by code in a cmap of format 0. */
function byteCodes(cmap: Buffer): Buffer | undefined {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const at = cmap.readUInt32BE(4 + index * 8 + 4);
    if (cmap.readUInt16BE(at) === 0) return cmap.subarray(at + 6, at + 262);
  }
  return undefined;
}
