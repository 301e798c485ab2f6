import { type Book, type BookDocument, bookLimits, refuseBook } from '../book.js';
import { type MobiContents, nestContents } from './contents.js';
import { exthTypes, type MobiHeader, NONE, type Records } from './headers.js';
import { readIndex } from './index-records.js';
import { markPositions } from './mobi6.js';
import type { Resources } from './resources.js';

/** A position in the text: a fragment, and bytes from its beginning. */
const ownAddress = /kindle:pos:fid:([0-9A-V]{1,10}):off:([0-9A-V]{1,12})/gi;

interface Skeleton {
  readonly fragments: number;
  readonly start: number;
  readonly length: number;
}

interface Fragment {
  /** Where it is put in, counted over the whole text. */
  readonly insert: number;
  readonly length: number;
}

/** A document of the book while one character is one byte. */
interface Assembled {
  readonly start: number;
  readonly raw: string;
  readonly positions: Set<number>;
}

/**
 * Puts the documents of a KF8 text together (skeletons and fragments), and gives its own addresses (`kindle:`) the
 * places that they mean: pictures and fonts, style and drawings of the other flows, positions in the text.
 */
export function readKf8({
  records,
  header,
  text,
  resources,
  contents,
}: {
  readonly records: Records;
  readonly header: MobiHeader;
  readonly text: Buffer;
  readonly resources: Resources;
  readonly contents: readonly MobiContents[];
}): Pick<Book, 'documents' | 'entries' | 'styleSheet'> {
  const flows = readFlows(records, header, text);
  const fragments = readIndex(records, header.kf8.fragments).entries.map(({ name, tags }): Fragment => ({
    insert: Number.parseInt(name, 10) || 0,
    length: tags.get(6)?.[1] ?? 0,
  }));
  const skeletons = readIndex(records, header.kf8.skeletons).entries.map(({ tags }): Skeleton => ({
    fragments: tags.get(1)?.[0] ?? 0,
    start: tags.get(6)?.[0] ?? 0,
    length: tags.get(6)?.[1] ?? 0,
  }));
  const assembled = assemble(flows[0] ?? Buffer.alloc(0), skeletons, fragments);
  if (assembled.length === 0) throw refuseBook('it has no text');
  const place = (fragment: number, offset: number): string | undefined => {
    const insert = fragments[fragment]?.insert;
    if (insert === undefined) return undefined;
    const position = insert + offset;
    const n = assembled.findLastIndex(({ start }) => start <= position);
    const document = assembled[n];
    if (document === undefined) return undefined;
    document.positions.add(position - document.start);
    return `part${n}.xhtml#pos${position - document.start}`;
  };
  const entries = nestContents(
    contents,
    (position) => (fragments[position[0] ?? -1]?.insert ?? 0) + (position[1] ?? 0),
    (position) => (position.length < 2 ? undefined : place(position[0]!, position[1]!)),
  );
  // All places have to be known before the first document gets its marks.
  for (const { raw } of assembled)
    for (const [, fragment = '', offset = ''] of raw.matchAll(ownAddress))
      place(Number.parseInt(fragment, 32), Number.parseInt(offset, 32));
  const sheets = new Map<string, string>();
  const address = (body: string): string => replaceAddresses(body, flows, resources, sheets, header);
  const size = pageSize(header);
  const documents = assembled.map((document, n): BookDocument => {
    const marked = markPositions(
      document.raw,
      behindBody(document.raw, document.positions),
      (position) => `<a id="pos${position}"></a>`,
    );
    const raw = marked.replace(
      ownAddress,
      (_whole, fragment: string, offset: string) =>
        place(Number.parseInt(fragment, 32), Number.parseInt(offset, 32)) ?? '#',
    );
    return {
      path: `part${n}.xhtml`,
      markup: address(header.decode(Buffer.from(raw, 'latin1'))),
      ...(size === undefined ? {} : { page: size }),
    };
  });
  return { documents, entries, styleSheet: (path) => sheets.get(path) };
}

/** The flows of the text: the documents, then style and drawings (FDST). */
function readFlows(records: Records, { kf8: { fdst } }: MobiHeader, text: Buffer): Buffer[] {
  const record = fdst === NONE ? Buffer.alloc(0) : records.record(fdst);
  if (record.subarray(0, 4).toString('latin1') !== 'FDST' || record.length < 12) return [text];
  const flows: Buffer[] = [];
  for (let i = 0; i < Math.min(record.readUInt32BE(8), bookLimits.documents) && 20 + i * 8 <= record.length; i++)
    flows.push(text.subarray(record.readUInt32BE(12 + i * 8), record.readUInt32BE(16 + i * 8)));
  return flows.length === 0 ? [text] : flows;
}

function assemble(text: Buffer, skeletons: readonly Skeleton[], fragments: readonly Fragment[]): Assembled[] {
  if (skeletons.length === 0)
    return text.length === 0 ? [] : [{ start: 0, raw: text.toString('latin1'), positions: new Set() }];
  const documents: Assembled[] = [];
  let next = 0;
  for (const { fragments: count, start, length } of skeletons.slice(0, bookLimits.documents)) {
    let raw = text.subarray(start, start + length).toString('latin1');
    let at = start + length;
    for (const { insert, length: size } of fragments.slice(next, next + count)) {
      const piece = text.subarray(at, at + size).toString('latin1');
      const into = Math.max(0, Math.min(raw.length, insert - start));
      raw = raw.slice(0, into) + piece + raw.slice(into);
      at += size;
    }
    next += count;
    documents.push({ start, raw, positions: new Set() });
  }
  return documents;
}

/** Marks before the body would be lost, so they are put at its beginning. */
function behindBody(raw: string, positions: ReadonlySet<number>): number[] {
  const body = /<body\b[^>]{0,4000}>/i.exec(raw);
  const first = body === null ? 0 : body.index + body[0].length;
  return [...positions].filter((position) => position >= first);
}

function replaceAddresses(
  text: string,
  flows: readonly Buffer[],
  resources: Resources,
  sheets: Map<string, string>,
  header: MobiHeader,
  depth = 0,
): string {
  return text
    .replace(
      /kindle:embed:([0-9A-V]{1,8})(?:\?mime=[\w/.+-]*)?/gi,
      (_whole, n: string) => resources.file(Number.parseInt(n, 32) - 1) ?? '',
    )
    .replace(/kindle:flow:([0-9A-V]{1,8})(?:\?mime=([\w/.+-]*))?/gi, (_whole, n: string, mime = '') => {
      const number = Number.parseInt(n, 32);
      const flow = flows[number];
      if (flow === undefined || number === 0 || depth > 4) return '';
      const drawing = /svg/i.test(mime);
      const name = `flow${number}.${drawing ? 'svg' : 'css'}`;
      if (drawing ? !resources.files.has(name) : !sheets.has(name)) {
        if (!drawing) sheets.set(name, '');
        const content = replaceAddresses(header.decode(flow), flows, resources, sheets, header, depth + 1);
        if (drawing) resources.write(name, Buffer.from(content));
        else sheets.set(name, content);
      }
      return name;
    });
}

/** Size of pages that the book lays out itself. */
function pageSize({ exth, decode }: MobiHeader): { width: number; height: number } | undefined {
  const fixed = exth.get(exthTypes.fixedLayout)?.[0];
  const size = exth.get(exthTypes.resolution)?.[0];
  const match =
    fixed === undefined || size === undefined || decode(fixed) !== 'true'
      ? null
      : /^(\d{2,4})x(\d{2,4})$/.exec(decode(size));
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) };
}
