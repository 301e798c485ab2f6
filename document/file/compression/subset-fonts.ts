import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';
import { ContentLexer, nameAt, type Operand } from '../../content/index.js';
import { subsetTrueType } from '../../fonts/subset-true-type.js';
import { asDict, asName, catalogOf, elements, entry, resolve } from '../objects/index.js';
import type { OpenedPdf } from '../open/index.js';
import { readClaims } from '../../structure/metadata/index.js';
import { contentOwners, readableContent } from './content-owners.js';

/** A font whose codes are glyph numbers of an embedded TrueType program (ISO 32000-1, 9.7.4.2). */
interface Candidate {
  readonly font: PDFDict;
  readonly descendant: PDFDict;
  readonly descriptor: PDFDict;
  readonly program: PDFRef;
  /** /CIDToGIDMap as bytes; undefined for identity. */
  readonly map: Uint8Array | undefined;
}

const SUBSET_TAG = /^[A-Z]{6}\+/;
/** In bytes. For smaller fonts, neither reading all content nor starting the subsetting engine pays off. */
const MIN_FONT_BYTES = 8 * 1024;

/**
 * Removes unused glyphs from embedded TrueType programs of composite fonts with two-byte identity codes, in place;
 * fonts of form fields stay complete, and all fonts where any content cannot be read. Not for PDF/A-1, whose subsets
 * must list their characters. Returns how many programs became smaller.
 */
export async function subsetFonts(opened: OpenedPdf): Promise<number> {
  const { context } = opened.document;
  const candidates = findCandidates(context).filter(({ program }) => isWorthIt(context.lookup(program)));
  if (candidates.length === 0 || readClaims(context).get('PDF/A')?.startsWith('1') === true) return 0;
  const used = usedCodes(opened, new Set(candidates.map(({ font }) => font)));
  if (used === undefined) return 0;
  const programs = new Map<PDFRef, Candidate[]>();
  for (const candidate of candidates)
    programs.set(candidate.program, [...(programs.get(candidate.program) ?? []), candidate]);
  let smaller = 0;
  for (const [ref, users] of programs) {
    const glyphs = new Set([
      0,
      ...users.flatMap(({ font, map }) => [...(used.get(font) ?? [])].map((code) => glyphOf(code, map))),
    ]);
    if (await subsetProgram(context, ref, glyphs)) {
      smaller++;
      for (const user of users) rename(user, glyphs);
    }
  }
  return smaller;
}

function glyphOf(code: number, map: Uint8Array | undefined): number {
  return map === undefined ? code : ((map[code * 2] ?? 0) << 8) | (map[code * 2 + 1] ?? 0);
}

function findCandidates(context: PDFContext): Candidate[] {
  const found: Candidate[] = [];
  /** Programs that other kinds of fonts use, which are not analysed. */
  const others = new Set<PDFRef>();
  const ofFields = fieldFonts(context);
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (
      !(object instanceof PDFDict) ||
      asName(context, entry(object, 'Type')) !== 'Font' ||
      entry(object, 'FontDescriptor') !== undefined
    )
      continue;
    const candidate = candidateOf(context, object);
    if (candidate !== undefined && !ofFields.has(object)) found.push(candidate);
    else if (candidate !== undefined) others.add(candidate.program);
  }
  const descendants = new Set(found.map(({ descendant }) => descendant));
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || descendants.has(object)) continue;
    const descriptor = asDict(context, entry(object, 'FontDescriptor'));
    const program = descriptor === undefined ? undefined : entry(descriptor, 'FontFile2');
    if (program instanceof PDFRef) others.add(program);
  }
  return found.filter(({ program }) => !others.has(program));
}

function candidateOf(context: PDFContext, font: PDFDict): Candidate | undefined {
  if (
    asName(context, entry(font, 'Subtype')) !== 'Type0' ||
    !['Identity-H', 'Identity-V'].includes(asName(context, entry(font, 'Encoding')) ?? '')
  )
    return undefined;
  const [first] = elements(context, entry(font, 'DescendantFonts'));
  const descendant = asDict(context, first);
  const descriptor = descendant === undefined ? undefined : asDict(context, entry(descendant, 'FontDescriptor'));
  if (
    descendant === undefined ||
    descriptor === undefined ||
    asName(context, entry(descendant, 'Subtype')) !== 'CIDFontType2'
  )
    return undefined;
  const program = entry(descriptor, 'FontFile2');
  const mapping = resolve(context, entry(descendant, 'CIDToGIDMap'));
  const map = mapping instanceof PDFRawStream ? readableContent(context, mapping) : undefined;
  // A /CIDSet would have to be rewritten.
  if (
    !(program instanceof PDFRef) ||
    descriptor.has(PDFName.of('CIDSet')) ||
    (mapping instanceof PDFRawStream && map === undefined)
  )
    return undefined;
  return { font, descendant, descriptor, program, map };
}

function fieldFonts(context: PDFContext): Set<PDFDict> {
  const catalog = catalogOf(context);
  const form = catalog === undefined ? undefined : asDict(context, entry(catalog, 'AcroForm'));
  const defaults = form === undefined ? undefined : asDict(context, entry(form, 'DR'));
  const fonts = defaults === undefined ? undefined : asDict(context, entry(defaults, 'Font'));
  return new Set((fonts?.values() ?? []).map((value) => asDict(context, value)).filter((dict) => dict !== undefined));
}

/** The codes that content shows in each of these fonts; undefined when that cannot be determined. */
function usedCodes(opened: OpenedPdf, fonts: ReadonlySet<PDFDict>): Map<PDFDict, Set<number>> | undefined {
  const { context } = opened.document;
  const used = new Map<PDFDict, Set<number>>();
  for (const { resources, streams } of contentOwners(opened)) {
    const kind = (name: string): PDFDict | undefined =>
      resources === undefined ? undefined : asDict(context, entry(resources, name));
    const [named, states] = [kind('Font'), kind('ExtGState')];
    // A graphics state may set a font too (ISO 32000-1, table 58); this is rare and not analysed.
    if (states?.values().some((state) => asDict(context, state)?.has(PDFName.of('Font')))) return undefined;
    const parts = streams.map((stream) => readableContent(context, stream));
    if (parts.includes(undefined)) return undefined;
    const content = Buffer.concat(parts.flatMap((part) => (part === undefined ? [] : [part, Buffer.from('\n')])));
    if (
      !showsIn(
        content,
        (name) => (named === undefined ? undefined : asDict(context, entry(named, name))),
        resources !== undefined,
        fonts,
        used,
      )
    )
      return undefined;
  }
  return used;
}

/** Records the codes shown by a piece of content. False when it shows text in a font inherited from its caller. */
function showsIn(
  content: Uint8Array,
  fontOf: (name: string) => PDFDict | undefined,
  hasResources: boolean,
  fonts: ReadonlySet<PDFDict>,
  used: Map<PDFDict, Set<number>>,
): boolean {
  let font: PDFDict | 'inherited' | undefined = 'inherited';
  const saved: (PDFDict | 'inherited' | undefined)[] = [];
  for (const { name, operands } of new ContentLexer(content)) {
    switch (name) {
      case 'q':
        saved.push(font);
        break;
      case 'Q':
        if (saved.length > 0) font = saved.pop();
        break;
      case 'Tf':
        if (!hasResources) return false;
        font = fontOf(nameAt(operands, 0) ?? '');
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (font === 'inherited') return false;
        if (font !== undefined && fonts.has(font)) note(used, font, operands.at(-1));
    }
  }
  return true;
}

function note(used: Map<PDFDict, Set<number>>, font: PDFDict, shown: Operand | undefined): void {
  const codes = used.get(font) ?? new Set<number>();
  used.set(font, codes);
  for (const text of shown instanceof Uint8Array
    ? [shown]
    : Array.isArray(shown)
      ? (shown as readonly Operand[])
      : []) {
    if (!(text instanceof Uint8Array)) continue;
    for (let i = 0; i < text.length; i += 2) codes.add(((text[i] ?? 0) << 8) | (text[i + 1] ?? 0));
  }
}

const isWorthIt = (stream: unknown): stream is PDFRawStream =>
  stream instanceof PDFRawStream && stream.contents.length >= MIN_FONT_BYTES;

async function subsetProgram(context: PDFContext, ref: PDFRef, glyphs: ReadonlySet<number>): Promise<boolean> {
  const stream = context.lookup(ref);
  if (!isWorthIt(stream)) return false;
  const program = readableContent(context, stream);
  const subset = program === undefined ? undefined : await subsetTrueType(program, glyphs);
  if (subset === undefined) return false;
  const packed = deflateSync(subset, { level: 9 });
  if (packed.length >= stream.contents.length * 0.9) return false;
  const dict = stream.dict.clone(context);
  for (const gone of ['DecodeParms', 'DP', 'F']) dict.delete(PDFName.of(gone));
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
  dict.set(PDFName.of('Length1'), PDFNumber.of(subset.length));
  context.assign(ref, PDFRawStream.of(dict, packed));
  return true;
}

/** Adds a unique subset tag to the font's names (ISO 32000-1, 9.6.4). */
function rename({ font, descendant, descriptor }: Candidate, glyphs: ReadonlySet<number>): void {
  const digest = createHash('sha256')
    .update([...glyphs].join())
    .digest();
  const tag = Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + ((digest[i] ?? 0) % 26))).join('');
  for (const [dict, key] of [
    [font, 'BaseFont'],
    [descendant, 'BaseFont'],
    [descriptor, 'FontName'],
  ] as const) {
    const name = dict.get(PDFName.of(key));
    if (name instanceof PDFName && !SUBSET_TAG.test(name.decodeText()))
      dict.set(PDFName.of(key), PDFName.of(`${tag}+${name.decodeText()}`));
  }
}
