import { type ContentFont, ContentReader, glyphNameOf } from '@quire/document/content';
import { arrayOf, asDict, asName, asNumber, dictOf, entry, resolve, setEntry } from '@quire/document/file/objects';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { withdrawClaims } from '@quire/document/structure/metadata';
import { PDFArray, type PDFContext, type PDFDict, PDFName, PDFNumber, type PDFObject } from 'pdf-lib';

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
/** Keys that only describe an embedded subset (ISO 32000-1, tables 122 and 124). */
const SUBSET = ['CIDSet', 'CharSet'] as const;
const [SYMBOLIC, NONSYMBOLIC] = [4, 32] as const;

/**
 * Removes every embedded font program from a document in place. Fonts keep their names, widths and character mappings,
 * so that viewers show and find the same text with their own fonts; mappings that only the font program contained are
 * written into the font. Type 3 fonts are drawings and stay. Declarations of standards that require embedded fonts are
 * removed. Returns the number of removed programs.
 */
export function dropFontPrograms(context: PDFContext): number {
  const fonts: PDFDict[] = [];
  const programs = new Set<PDFObject>();
  const descriptors: PDFDict[] = [];
  for (const holder of everyObject(context)) {
    const dict = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    if (dict === undefined) continue;
    if (entry(dict, 'BaseFont') !== undefined) fonts.push(dict);
    const own = PROGRAMS.map((key) => resolve(context, entry(dict, key))).filter((program) => program !== undefined);
    if (own.length > 0) descriptors.push(dict);
    for (const program of own) programs.add(program);
  }
  if (programs.size === 0) return 0;
  const { fonts: book } = new ContentReader(context);
  const embedded = new Set(descriptors);
  for (const font of fonts) writeCodeMeanings(context, font, embedded, () => book.font(font));
  for (const dict of [...fonts, ...descriptors])
    for (const key of ['BaseFont', 'FontName']) withoutTag(context, dict, key);
  for (const dict of descriptors) for (const key of [...PROGRAMS, ...SUBSET]) setEntry(dict, key, undefined);
  withdrawClaims(context, ['PDF/A', 'PDF/UA', 'PDF/X', 'PDF/E', 'PDF/VT', 'WTPDF']);
  return programs.size;
}

/** `ABCDEF+Name` is the name of a subset (ISO 32000-1, 9.6.4). */
function withoutTag(context: PDFContext, dict: PDFDict, key: string): void {
  const name = asName(context, entry(dict, key));
  if (name !== undefined && /^[A-Z]{6}\+/.test(name)) setEntry(dict, key, PDFName.of(name.slice(7)));
}

/**
 * Writes down the glyph for each code of a simple font with an embedded program, if its encoding leaves that to the
 * program.
 */
function writeCodeMeanings(
  context: PDFContext,
  font: PDFDict,
  embedded: ReadonlySet<PDFDict>,
  read: () => ContentFont,
): void {
  const descriptor = asDict(context, entry(font, 'FontDescriptor'));
  if (
    descriptor === undefined ||
    !embedded.has(descriptor) ||
    asName(context, entry(font, 'Subtype')) === 'Type0' ||
    entry(font, 'CIDSystemInfo') !== undefined
  )
    return;
  const flags = asNumber(context, entry(descriptor, 'Flags')) ?? 0;
  const encoding = resolve(context, entry(font, 'Encoding'));
  if (encoding instanceof PDFName && (flags & SYMBOLIC) === 0) return;
  const differences: PDFObject[] = [];
  const content = read();
  for (let code = 0; code < 256; code++) {
    const name = glyphName(
      content
        .decode(Uint8Array.of(code))
        .map(({ text }) => text)
        .join(''),
    );
    if (name !== undefined) differences.push(PDFNumber.of(code), PDFName.of(name));
  }
  // Glyphs with an unknown meaning cannot be named.
  if (differences.length === 0) return;
  setEntry(
    font,
    'Encoding',
    dictOf(context, { Type: PDFName.of('Encoding'), Differences: arrayOf(context, differences) }),
  );
  setEntry(descriptor, 'Flags', PDFNumber.of((flags & ~SYMBOLIC) | NONSYMBOLIC));
}

/** A glyph name for a character, or for a ligature of several (Adobe Glyph List Specification). */
function glyphName(text: string): string | undefined {
  if (text === '') return undefined;
  return (
    glyphNameOf(text) ??
    [...text]
      .map(
        (character) =>
          glyphNameOf(character) ?? `u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      )
      .join('_')
  );
}
