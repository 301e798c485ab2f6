import { type PDFContext, PDFArray, type PDFDict, PDFRawStream } from 'pdf-lib';
import { ContentLexer, ContentReader, operatorText } from '../../content/index.js';
import { asDict, dictOfHolder, entry, everyObject, resolve } from '../../file/objects/index.js';
import { AppearanceText } from '../document-data/appearance-text.js';
import { decodedBytes } from '../document-data/found-in.js';
import { rewriteStreams } from '../document-data/rewrite-streams.js';
import type { TextFinder } from '../document-data/text-finder.js';

/**
 * Empties glyph procedures of Type 3 fonts (ISO 32000-1, 9.6.5) that draw found text by themselves, in place, and the
 * forms with such text that they draw. Glyphs keep their widths. Returns the number of emptied streams. Throws
 * INPUT_TOO_COMPLEX.
 */
export function emptyGlyphProcedures(context: PDFContext, find: TextFinder): number {
  const texts = new AppearanceText(context, find);
  const reader = new ContentReader(context);
  const emptied = new Map<PDFRawStream, Uint8Array>();
  for (const { procedure, resources } of proceduresOf(context)) {
    if (!texts.inForm(procedure, resources)) continue;
    emptied.set(procedure, widthOnly(context, procedure));
    reader.stream(procedure, resources, {
      form: ({ use }) => {
        if (use !== undefined && texts.inForm(use.stream)) emptied.set(use.stream, new Uint8Array());
      },
    });
  }
  return rewriteStreams(context, emptied);
}

function* proceduresOf(
  context: PDFContext,
): Generator<{ readonly procedure: PDFRawStream; readonly resources: PDFDict | undefined }> {
  for (const holder of everyObject(context)) {
    const font = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    const procedures = font === undefined ? undefined : asDict(context, entry(font, 'CharProcs'));
    if (font === undefined || procedures === undefined) continue;
    const resources = asDict(context, entry(font, 'Resources'));
    for (const value of procedures.values()) {
      const procedure = resolve(context, value);
      if (procedure instanceof PDFRawStream) yield { procedure, resources };
    }
  }
}

/** The operator that begins every glyph procedure: `d0`, or `d1` with its box. */
function widthOnly(context: PDFContext, procedure: PDFRawStream): Uint8Array {
  const first = new ContentLexer(decodedBytes(context, procedure) ?? new Uint8Array()).next();
  return Buffer.from(
    first?.name === 'd0' || first?.name === 'd1' ? operatorText(first.name, ...first.operands) : '0 0 d0',
    'latin1',
  );
}
