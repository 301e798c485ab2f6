import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type PDFContext, PDFContext as Context, type PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { ContentReader } from '@quire/document/content';
import { readFontProgram } from '@quire/document/fonts/pdf-fonts';
import { dropTables, unusedTableBytes } from '../../../document/fonts/drop-tables.js';
import { subsetTrueType } from '../../../document/fonts/subset-true-type.js';
import { parseCMap } from '../../../document/fonts/pdf-fonts/cmap.js';
import { cleanFontPrograms } from '../../../document/redaction/syntax/font-programs.js';
import { fontSeeds } from './font-seeds.js';
import { codeOf, type FuzzTarget } from './target.js';

/** Every code of one byte, as a text in a page has them. */
const CODES = Uint8Array.from({ length: 256 }, (_unused, code) => code);

/** Font programs of documents (TrueType, CFF, Type 1) and character maps. */
export const fonts: FuzzTarget = {
  extension: 'font',
  seeds: async () => {
    const file = createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf');
    const whole = await readFile(file);
    return [...fontSeeds((await subsetTrueType(whole, [0, 1, 2, 36, 37, 38])) ?? whole).values()];
  },
  exercise: async (bytes) => {
    try {
      const map = parseCMap(bytes);
      const kinds = [map.texts.size > 0 ? 'map' : '', programKind(bytes)];
      readTexts(bytes);
      if ((await subsetTrueType(bytes, [0, 1, 2])) !== undefined) kinds.push('subset');
      if (unusedTableBytes(bytes) > 0 && dropTables(bytes) !== undefined) kinds.push('slim');
      const found = kinds.filter((kind) => kind !== '');
      return found.length === 0 ? 'not read' : `read ${found.join(' ')}`;
    } catch (error) {
      return codeOf(error);
    }
  },
};

/** Reads the program as a font descriptor holds it; returns its kind, or nothing if it was not understood. */
function programKind(bytes: Uint8Array): string {
  const { context, descriptor } = embedded(bytes);
  const program = readFontProgram(context, descriptor);
  const { trueType } = program ?? {};
  if (trueType !== undefined) {
    trueType.texts();
    trueType.glyphNamed('A');
    for (let glyph = 0; glyph < 300; glyph++) trueType.hasOutline(glyph);
  }
  if (program?.names !== undefined && program.names.size > 1) return 'names';
  if (program?.cids !== undefined && program.cids.size > 1) return 'numbers';
  return trueType !== undefined && trueType.glyphs > 1 ? 'outlines' : '';
}

/** Reads texts in a simple and in a composite font with this program and map, and removes words from the program. */
function readTexts(bytes: Uint8Array): void {
  const { context, descriptor } = embedded(bytes);
  const { fonts: book } = new ContentReader(context);
  for (const dict of fontsWith(context, descriptor, bytes)) {
    const font = book.font(dict);
    font.decode(CODES);
    font.encode('AB leaf');
  }
  cleanFontPrograms(context, (text) => (text.includes('Test') ? [[0, text.length]] : []));
}

/** The kind of a program is known by its bytes, not by the key. */
function embedded(bytes: Uint8Array): { readonly context: PDFContext; readonly descriptor: PDFDict } {
  const context = Context.create();
  const descriptor = context.obj({ Type: 'FontDescriptor', FontName: 'Test', Flags: 4 });
  descriptor.set(PDFName.of('FontFile3'), context.register(PDFRawStream.of(context.obj({}), bytes)));
  context.register(descriptor);
  return { context, descriptor };
}

function fontsWith(context: PDFContext, descriptor: PDFDict, bytes: Uint8Array): readonly [PDFDict, PDFDict] {
  const map = context.register(PDFRawStream.of(context.obj({}), bytes));
  const simple = context.obj({ Type: 'Font', Subtype: 'TrueType', BaseFont: 'Test', FontDescriptor: descriptor });
  const inner = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: 'Test',
    FontDescriptor: descriptor,
    CIDToGIDMap: 'Identity',
  });
  const composite = context.obj({ Type: 'Font', Subtype: 'Type0', BaseFont: 'Test', DescendantFonts: [inner] });
  composite.set(PDFName.of('Encoding'), map);
  composite.set(PDFName.of('ToUnicode'), map);
  return [simple, composite];
}
