import { wrapTables } from './truetype.js';

/** An entry of the table directory. */
interface Table {
  readonly tag: string;
  readonly at: number;
  readonly length: number;
}

const [HEADER_BYTES, ENTRY_BYTES] = [12, 16] as const;
/** From its beginning, enough to read the directory of every font: the specification knows some fifty tables. */
export const DIRECTORY_BYTES = HEADER_BYTES + 64 * ENTRY_BYTES;
/** Version 1.0, and the one of Apple (`true`). */
const TRUE_TYPE: readonly number[] = [0x00010000, 0x74727565];
/**
 * Tables that drawing glyphs by their numbers or characters does not need (ISO 32000-1, 9.9): names and licences, the
 * metrics and rules of text layout, and variations. cairo and LibreOffice embed most of these programs without them.
 */
const UNUSED: ReadonlySet<string> = new Set(
  'BASE DSIG GDEF GPOS GSUB JSTF LTSH MATH OS/2 PCLT STAT VDMX gasp hdmx kern meta name'.split(' '),
);
/** The version of `post` that names no glyphs. */
const WITHOUT_NAMES = 0x00030000;
/** Where `head` has the checksum of the file. */
const CHECKSUM_AT = 8;

/**
 * How many bytes of a TrueType program `dropTables` removes at least; 0 for other programs. The beginning is enough:
 * see `DIRECTORY_BYTES`.
 */
export function unusedTableBytes(beginning: Uint8Array): number {
  return (directoryOf(asBuffer(beginning)) ?? [])
    .filter(({ tag }) => UNUSED.has(tag))
    .reduce((sum, { length }) => sum + length + ENTRY_BYTES, 0);
}

/**
 * Copies a TrueType program without the tables that PDF readers do not use. Glyphs, their numbers, instructions and
 * characters stay as they are. Returns undefined for a program whose tables cannot be read.
 */
export function dropTables(program: Uint8Array): Uint8Array | undefined {
  const source = asBuffer(program);
  const tables = directoryOf(source);
  if (tables === undefined || tables.some(({ at, length }) => at + length > source.length)) return undefined;
  // Tables that share bytes would be copied many times.
  if (tables.reduce((sum, { length }) => sum + length, 0) > source.length) return undefined;
  const kept = tables.filter(
    ({ tag, at, length }) =>
      !UNUSED.has(tag) && (tag !== 'post' || length < 4 || source.readUInt32BE(at) !== WITHOUT_NAMES),
  );
  const dataOf = ({ tag, at, length }: Table): Buffer => {
    const data = source.subarray(at, at + length);
    // The checksum is computed with this field being 0.
    return tag === 'head' ? Buffer.concat([data.subarray(0, CHECKSUM_AT), Buffer.alloc(4), data.subarray(12)]) : data;
  };
  if (!kept.some(({ tag, length }) => tag === 'head' && length > CHECKSUM_AT + 4)) return undefined;
  return wrapTables(
    kept.map((table) => [table.tag, dataOf(table)]),
    source.readUInt32BE(0),
  );
}

/** Undefined for what is not TrueType, or whose directory is incomplete. */
function directoryOf(source: Buffer): Table[] | undefined {
  if (source.length < HEADER_BYTES || !TRUE_TYPE.includes(source.readUInt32BE(0))) return undefined;
  const count = source.readUInt16BE(4);
  if (HEADER_BYTES + count * ENTRY_BYTES > source.length) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    return {
      tag: source.toString('latin1', entry, entry + 4),
      at: source.readUInt32BE(entry + 8),
      length: source.readUInt32BE(entry + 12),
    };
  });
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
