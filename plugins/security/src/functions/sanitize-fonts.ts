import { type ContentFont, ContentReader, glyphNameOf } from '@quire/document/content';
import {
  arrayOf,
  asDict,
  asName,
  asNumber,
  asText,
  dictOf,
  dictOfHolder,
  elements,
  entry,
  everyObject,
  resolve,
  setEntry,
} from '@quire/document/file/objects';
import { withdrawClaims } from '@quire/document/structure/metadata';
import { PDFArray, type PDFContext, type PDFDict, PDFName, PDFNumber, type PDFObject } from 'pdf-lib';

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
/** Keys that only describe an embedded subset (ISO 32000-1, tables 122 and 124). */
const SUBSET = ['CIDSet', 'CharSet'] as const;
const [SYMBOLIC, NONSYMBOLIC] = [4, 32] as const;
/** Character collections that viewers have fonts for. */
const COLLECTIONS = /^(?:GB1|CNS1|Japan[12]|Korea1|KR|Manga1)$/;

/** Numbers of font programs. */
export interface DroppedFonts {
  readonly removed: number;
  /** Fonts among them whose text some viewers cannot show without it. */
  readonly needed: number;
}

/**
 * Removes every embedded font program from a document in place. Fonts keep their names, widths and character mappings,
 * so that viewers show and find the same text with their own fonts; mappings that only the font program contained are
 * written into the font. Type 3 fonts are drawings and stay. Declarations of standards that require embedded fonts are
 * removed.
 */
export function dropFontPrograms(context: PDFContext): DroppedFonts {
  const fonts: PDFDict[] = [];
  const programs = new Set<PDFObject>();
  const descriptors: PDFDict[] = [];
  /** Descriptors of fonts whose codes mean nothing without their programs. */
  const needed = new Set<PDFDict>();
  for (const holder of everyObject(context)) {
    const dict = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    if (dict === undefined) continue;
    if (entry(dict, 'BaseFont') !== undefined) fonts.push(dict);
    const descriptor = neededDescriptor(context, dict);
    if (descriptor !== undefined) needed.add(descriptor);
    const own = PROGRAMS.map((key) => resolve(context, entry(dict, key))).filter((program) => program !== undefined);
    if (own.length > 0) descriptors.push(dict);
    for (const program of own) programs.add(program);
  }
  const found = { removed: programs.size, needed: descriptors.filter((dict) => needed.has(dict)).length };
  if (programs.size === 0) return found;
  const { fonts: book } = new ContentReader(context);
  const embedded = new Set(descriptors);
  for (const font of fonts) writeCodeMeanings(context, font, embedded, () => book.font(font));
  for (const dict of [...fonts, ...descriptors])
    for (const key of ['BaseFont', 'FontName']) withoutTag(context, dict, key);
  for (const dict of descriptors) for (const key of [...PROGRAMS, ...SUBSET]) setEntry(dict, key, undefined);
  withdrawClaims(context, ['PDF/A', 'PDF/UA', 'PDF/X', 'PDF/E', 'PDF/VT', 'WTPDF']);
  return found;
}

/**
 * The descriptor of a composite font whose codes are glyph numbers of its own program (ISO 32000-1, 9.7.5.2): no other
 * font has the same glyphs under these numbers, and not all viewers use the characters beside them. Those of the
 * character collections of Adobe have a meaning.
 */
function neededDescriptor(context: PDFContext, font: PDFDict): PDFDict | undefined {
  if (asName(context, entry(font, 'Subtype')) !== 'Type0') return undefined;
  const [descendant] = elements(context, entry(font, 'DescendantFonts'));
  const own = asDict(context, descendant);
  const info = own === undefined ? undefined : asDict(context, entry(own, 'CIDSystemInfo'));
  const ordering = info === undefined ? undefined : asText(context, entry(info, 'Ordering'));
  return own === undefined || COLLECTIONS.test(ordering ?? '')
    ? undefined
    : asDict(context, entry(own, 'FontDescriptor'));
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
