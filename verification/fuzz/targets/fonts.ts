import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFContext, PDFName, PDFRawStream } from 'pdf-lib';
import { readFontProgram } from '@quire/document/fonts/pdf-fonts';
import { subsetTrueType } from '../../../document/fonts/subset-true-type.js';
import { parseCMap } from '../../../document/fonts/pdf-fonts/cmap.js';
import { codeOf, type FuzzTarget } from './target.js';

const CMAP = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def
1 begincodespacerange <0000> <ffff> endcodespacerange
2 beginbfrange <0000> <005e> <0020> <005f> <0061> [<00660066> <00660069> <0066006c>] endbfrange
1 beginbfchar <3a51> <d840dc3e> endbfchar 1 begincidrange <0000> <00ff> 12 endcidrange
1 beginnotdefrange <0000> <001f> 1 endnotdefrange endcmap end end`;
const TYPE1 = `%!PS-AdobeFont-1.0: Test 1.0
/FontName /Test def /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for
dup 65 /A put dup 66 /B put readonly def /FontBBox {0 -200 1000 800} readonly def currentfile eexec `;

/** Font programs of documents (TrueType, CFF, Type 1) and character maps. */
export const fonts: FuzzTarget = {
  extension: 'font',
  seeds: async () => {
    const file = createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf');
    const whole = await readFile(file);
    const small = await subsetTrueType(whole, [0, 1, 2, 36, 37, 38]);
    const cff = [
      '01000401000101055465737400010101051b8b0c028b0c030000010100',
      '0100040100010101055465737400010101138b8bfa7cfa7c05f70f0fd411000000000100000000000001010102030e8b0e',
    ].map((hex) => Buffer.from(hex, 'hex'));
    return [Buffer.from(small ?? whole), ...cff, Buffer.from(CMAP), Buffer.from(TYPE1)];
  },
  exercise: async (bytes) => {
    try {
      parseCMap(bytes);
      const context = PDFContext.create();
      const outcomes = ['FontFile', 'FontFile2', 'FontFile3'].map((key) => {
        const stream = context.register(PDFRawStream.of(context.obj({}), bytes));
        const descriptor = context.obj({});
        descriptor.set(PDFName.of(key), stream);
        return readFontProgram(context, descriptor) !== undefined;
      });
      const subset = (await subsetTrueType(bytes, [0, 1, 2])) !== undefined;
      return subset || outcomes.includes(true) ? 'read' : 'not read';
    } catch (error) {
      return codeOf(error);
    }
  },
};
