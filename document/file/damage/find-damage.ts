import { pageList } from './page-list.js';
import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { entriesOf } from '../objects/index.js';
import type { LazyDocument, PageTree } from '../reader/index.js';
import { isSlow, type Resolve, stateOf, type StreamState } from './stream-state.js';

/** Damage of a file, as sentences for reports. */
export interface Damage {
  /** Faults that the reader corrects without losing content. */
  readonly repaired: readonly string[];
  /** Pages, content and objects that cannot be read. */
  readonly lost: readonly string[];
}

export interface FoundDamage extends Damage {
  /** Damaged streams, which `replaceDamagedStreams` can replace. */
  readonly streams: readonly PDFRef[];
  /** Those of them that are content of pages. */
  readonly contents: readonly PDFRef[];
}

export interface FindOptions {
  /** Opens the same file again; with it, the objects of a small file with sound pages are searched too. */
  readonly reopen?: () => LazyDocument;
  /** The file's bytes must stay as they are, so that only damage is of interest that makes a result unreadable. */
  readonly signed?: boolean;
  /** What content streams inflate to is kept for the next reader. */
  readonly keep?: boolean;
}

/** In bytes of compressed streams: a larger sound file is not decoded only to be checked. */
const CHECKED_BYTES = 32 * 1024 * 1024;
/** In bytes: larger files whose pages are sound are not searched further. */
const QUICK_BYTES = 1024 * 1024;
/** Most objects that such a search reads, and most bytes of streams that it decodes. */
const [QUICK_OBJECTS, QUICK_STREAM_BYTES] = [500, 256 * 1024] as const;
/** How many times longer than Flate other filters take. */
const SLOWER = 16;
const TAIL_BYTES = 1024;
/** The reader looks no further for the end of a file. */
const LONG_TAIL_BYTES = 65_536;
const [CONTENTS, PARENT, SUBTYPE, IMAGE] = ['Contents', 'Parent', 'Subtype', 'Image'].map((key) => PDFName.of(key)) as [
  PDFName,
  PDFName,
  PDFName,
  PDFName,
];

/**
 * Finds what is damaged in an opened document. In a file whose structure is sound, the page tree and the content
 * streams of the pages are checked, up to 32 MiB of them; in one whose cross-reference or objects had to be repaired,
 * every object that the catalog reaches. Objects above the reader's limits count as missing.
 */
export function findDamage(
  document: LazyDocument,
  { pages, missing: lostPages, count: counted }: PageTree,
  { reopen, signed = false, keep = false }: FindOptions = {},
): FoundDamage {
  const contents = checkContents(document, pages, keep);
  const cutUpdate = hasCutUpdate(document);
  const total = pages.length + lostPages.length;
  const pagesUnsound =
    counted !== total ||
    cutUpdate ||
    document.faulty ||
    lostPages.length > 0 ||
    contents.damaged.length > 0 ||
    contents.headers.length > 0;
  const quick = pagesUnsound || reopen === undefined ? NO_DAMAGE : checkQuickly(document, reopen, contents.checked);
  const unsound = pagesUnsound || (!isSound(quick) && !signed);
  const others = unsound ? checkObjects(document, contents.checked) : NOTHING;
  if (!unsound) return { ...quick, streams: [], contents: [] };
  const reason = lostPages.length > 0 && isCutOff(document) ? '; the file seems cut off' : '';
  const lost = [
    ...(cutUpdate ? ['An update at the end of the file is cut off and was left out.'] : []),
    ...(lostPages.length > 0 ? [`${capital(pageList(lostPages))} of ${total} cannot be read${reason}.`] : []),
    ...(contents.damaged.length > 0
      ? [`The content of ${pageList(contents.damaged)} of ${total} is missing or damaged.`]
      : []),
    ...(others.missing > 0
      ? [count(others.missing, 'referenced object is', 'referenced objects are', 'missing or unreadable')]
      : []),
    ...(others.damaged.length > 0
      ? [count(others.damaged.length, 'other stream is', 'other streams are', 'damaged and only partly readable')]
      : []),
  ];
  const headers = [...contents.headers, ...others.headers];
  const found: Damage = {
    repaired: [
      // Read last: only then is it known which objects were misplaced.
      ...(document.faulty ? document.warnings : []),
      ...headerFaults(headers),
      ...(counted === total ? [] : [`The page tree counts ${counted ?? 'no'} pages and has ${total}.`]),
    ],
    lost,
  };
  return {
    ...(isSound(found) ? quick : found),
    streams: [...contents.streams, ...others.damaged, ...headers],
    contents: [...contents.streams, ...contents.headers],
  };
}

/** Other streams may have filters that only their own readers know; content of pages may not. */
function contentState(stream: PDFRawStream, resolved: Resolve, keep: boolean): StreamState {
  const state = stateOf(stream, resolved, keep);
  return state === 'foreign' ? 'damaged' : state;
}

/** Streams by their references; those without one are not streams (ISO 32000-1, 7.3.8.1). */
interface CheckedStreams {
  readonly damaged: readonly PDFRef[];
  readonly headers: readonly PDFRef[];
}

interface CheckedContents {
  /** Numbers of the pages with a content stream that is missing or does not decode to its end. */
  readonly damaged: readonly number[];
  /** Their streams that do not decode to the end. */
  readonly streams: readonly PDFRef[];
  readonly headers: readonly PDFRef[];
  /** The entries of /Contents that were judged. */
  readonly checked: Judged;
}

/** Values that were judged: a set or the keys of a map. */
type Judged = Pick<ReadonlySet<PDFObject>, 'has' | 'keys'>;

function checkContents(document: LazyDocument, pages: PageTree['pages'], keep: boolean): CheckedContents {
  const verdicts = new Map<PDFObject, StreamState | 'missing'>();
  const resolved: Resolve = (value) => resolve(document, value);
  const refs: Record<'damaged' | 'header', PDFRef[]> = { damaged: [], header: [] };
  let left = document.faulty ? Infinity : CHECKED_BYTES;
  const judge = (value: PDFObject): StreamState | 'missing' => {
    const known = verdicts.get(value);
    if (known !== undefined) return known;
    const stream = resolve(document, value);
    if (stream instanceof PDFRawStream) left -= costOf(stream, resolved);
    if (left < 0) return 'sound';
    const state = stream instanceof PDFRawStream ? contentState(stream, resolved, keep) : 'missing';
    verdicts.set(value, state);
    if (value instanceof PDFRef && (state === 'damaged' || state === 'header')) refs[state].push(value);
    return state;
  };
  const isLost = (value: PDFObject): boolean => {
    if (value === PDFNull) return false;
    const state = judge(value);
    return state === 'missing' || state === 'damaged';
  };
  const damaged: number[] = [];
  for (const { number, dict } of pages) {
    const value = dict.get(CONTENTS);
    if (value === undefined || left < 0) continue;
    const contents = resolve(document, value);
    let lost = false;
    // Every stream is judged, not only those up to the first that is lost.
    if (contents instanceof PDFArray) for (let i = 0; i < contents.size(); i++) lost = isLost(contents.get(i)) || lost;
    else lost = isLost(value);
    if (lost) damaged.push(number);
  }
  return { damaged, streams: refs.damaged, headers: refs.header, checked: verdicts };
}

/**
 * Looks for damage in the objects of a small file whose pages are sound: in a second reader if the file may be
 * appended to, because objects that were read count as possible changes, and without images, which take long to decode.
 */
function checkQuickly({ windows }: LazyDocument, reopen: () => LazyDocument, decoded: Judged): Damage {
  if (windows.size > QUICK_BYTES) return NO_DAMAGE;
  const copy = reopen();
  const { damaged, headers } = checkObjects(copy, new Set<PDFObject>(), decoded);
  const unread = copy.unread + damaged.length;
  return {
    repaired: [...(copy.faulty ? copy.warnings : []), ...headerFaults(headers)],
    lost:
      unread > 0
        ? [count(unread, 'object or stream is', 'objects or streams are', 'damaged and only partly readable')]
        : [],
  };
}

const NO_DAMAGE: Damage = { repaired: [], lost: [] };

const isSound = ({ repaired, lost }: Damage): boolean => repaired.length + lost.length === 0;

const headerFaults = (headers: readonly PDFRef[]): string[] =>
  headers.length > 0 ? [count(headers.length, 'stream begins', 'streams begin', 'with a damaged header')] : [];

const NOTHING: CheckedStreams & { readonly missing: number } = { missing: 0, damaged: [], headers: [] };

/**
 * Reads every object that the catalog reaches, except those in `checked`. Returns how many are missing, and the streams
 * that do not decode. A quick search is given the streams that were decoded before, which it reads but does not decode
 * again, and ends at its limits.
 */
function checkObjects(document: LazyDocument, checked: Judged, decoded?: Judged): typeof NOTHING {
  const quick = decoded !== undefined;
  const resolved: Resolve = (value) => resolve(document, value);
  const seen = new Set(checked.keys());
  const waiting: PDFObject[] = [document.trailer];
  const [damaged, headers]: [PDFRef[], PDFRef[]] = [[], []];
  let [missing, left] = [0, QUICK_STREAM_BYTES];
  const mayDecode = (ref: PDFRef, stream: PDFRawStream, before: Judged): boolean =>
    !before.has(ref) && stream.dict.get(SUBTYPE) !== IMAGE && (left -= costOf(stream, resolved)) >= 0;
  const visit = (ref: PDFRef): void => {
    const found = lookup(document, ref);
    if (found === undefined) missing++;
    else if (found instanceof PDFRawStream) {
      const isDecoded = decoded === undefined || mayDecode(ref, found, decoded);
      const state = isDecoded ? stateOf(found, resolved) : 'sound';
      if (state === 'damaged') damaged.push(ref);
      if (state === 'header') headers.push(ref);
      waiting.push(found.dict);
    } else waiting.push(found);
  };
  let read = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    if (quick && next instanceof PDFRef && ++read > QUICK_OBJECTS) break;
    if (next instanceof PDFRef || next instanceof PDFDict || next instanceof PDFArray) seen.add(next);
    if (next instanceof PDFRef) visit(next);
    else if (next instanceof PDFDict) {
      for (const [key, value] of entriesOf(next)) if (key !== PARENT) waiting.push(value);
    } else if (next instanceof PDFArray) for (const value of next.asArray()) waiting.push(value);
  }
  return { missing, damaged, headers };
}

/** Bytes of Flate data that take as long to decode. */
const costOf = (stream: PDFRawStream, resolved: Resolve): number =>
  stream.contents.length * (isSlow(stream, resolved) ? SLOWER : 1);

/** Returns undefined for an object that is missing, null, unreadable or above a limit of the reader. */
function resolve(document: LazyDocument, value: PDFObject | undefined): PDFObject | undefined {
  let object = value;
  for (let hop = 0; object instanceof PDFRef && hop < 32; hop++) object = lookup(document, object);
  return object === PDFNull || object instanceof PDFRef ? undefined : object;
}

/** The limits of the reader are for the operation that needs the object; here it counts as unreadable. */
function lookup(document: LazyDocument, ref: PDFRef): PDFObject | undefined {
  try {
    return document.lookup(ref);
  } catch {
    return undefined;
  }
}

/**
 * True when objects follow the file's last regular end: the beginning of an update without its cross-reference. The
 * reader then finds the state before the update, complete in itself.
 */
function hasCutUpdate({ windows, faulty }: LazyDocument): boolean {
  // A file that was scanned includes what is left of the update.
  if (faulty) return false;
  const after = (reach: number): string | undefined => {
    const tail = windows.text(Math.max(0, windows.size - reach), windows.size);
    const at = tail.lastIndexOf('startxref');
    return at < 0 ? undefined : tail.slice(at);
  };
  const rest = after(TAIL_BYTES) ?? after(LONG_TAIL_BYTES) ?? '';
  return /\s\d{1,10}\s+\d{1,5}\s+obj\b/.test(rest);
}

function isCutOff({ windows }: LazyDocument): boolean {
  const tail = windows.bytes(Math.max(0, windows.size - TAIL_BYTES), windows.size);
  return !Buffer.from(tail).includes('%%EOF');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function count(number: number, one: string, more: string, rest: string): string {
  return `${number} ${number === 1 ? one : more} ${rest}.`;
}
