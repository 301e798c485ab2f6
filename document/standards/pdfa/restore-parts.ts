import { type PDFContext, type PDFDict, PDFName } from 'pdf-lib';
import { packFile, unpackFile } from '../../structure/attachments/index.js';
import {
  asDict,
  asName,
  catalogOf,
  dictOf,
  entry,
  isString,
  nameText,
  ObjectCopier,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import {
  addAttachments,
  attachmentFacts,
  dropAttachments,
  type EmbeddedAttachment,
  type NewAttachment,
  readAttachments,
  type Relationship,
  relationships,
} from '../../structure/attachments/index.js';
import {
  syncXmp,
  INFO_KEYS,
  infoOf,
  readViewerPreferences,
  readXmp,
  withoutInfoValue,
  writeXmp,
} from '../../structure/metadata/index.js';
import { distinctNames } from '../../structure/names/index.js';
import { readPageLabels, writePageLabels } from '../../structure/pages/index.js';
import { dropForbidden } from './drop-forbidden.js';

export interface RestoreOptions {
  /** The target part of PDF/A: only part 3 allows embedded files of any type. */
  readonly part: 1 | 2 | 3;
  /** A folder for embedded files, which must stay until the document is written. */
  readonly scratch: string;
  /** Modification date for files that have none; PDF/A-3 requires one. */
  readonly now: Date;
  readonly signal?: AbortSignal;
}

export interface Restored {
  readonly files: number;
  /** Names of files that this part of PDF/A does not allow, and of those that cannot be unpacked. */
  readonly lost: readonly string[];
  /** Annotations that were removed because they have no appearance. */
  readonly annotations: number;
}

/** The most bytes of one file, and of all files together; files above are lost. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const TOTAL_BYTES = 1024 * 1024 * 1024;
/** Entries of the information dictionary that the writer sets, or that claim another standard. */
const OWN_ENTRIES: ReadonlySet<string> = new Set([
  'Producer',
  'ModDate',
  'Trapped',
  'GTS_PDFXVersion',
  'GTS_PDFXConformance',
  'PieceInfo',
]);

/**
 * Restores the parts of the original that programs lose when they redraw a document as PDF/A: information dictionary
 * and XMP in agreement, language, page labels, viewer preferences and portfolio settings, and, in part 3, all its
 * files, associated with the document (ISO 19005-3, 6.8). Both documents are open; the converted one is changed in
 * memory.
 */
export async function restoreParts(
  original: OpenedPdf,
  converted: OpenedPdf,
  options: RestoreOptions,
): Promise<Restored> {
  const [from, to] = [original.document.context, converted.document.context];
  const catalogs = [catalogOf(from), catalogOf(to)] as const;
  const [source, target] = catalogs;
  if (source === undefined || target === undefined) return { files: 0, lost: [], annotations: 0 };
  restoreInfo(from, to, target);
  dropAttachments(to, converted.pages);
  restoreShow(original, converted, source, target, options.part);
  const annotations = dropForbidden(to, converted.pages);
  const attachments = readAttachments(from, original.pages).filter(
    (each): each is EmbeddedAttachment => each.file !== undefined,
  );
  if (options.part < 3) return { files: 0, lost: attachments.map(({ name }) => name), annotations };
  return { ...(await restoreFiles(from, converted, attachments, options)), annotations };
}

/** Programs invent titles and creators where there are none, and drop what they cannot encode. */
function restoreInfo(from: PDFContext, to: PDFContext, target: PDFDict): void {
  const before = infoOf(from);
  const info = dictOf(to, {});
  for (const [key, value] of before?.entries() ?? []) {
    const plain = resolve(from, value);
    if (isString(plain) && !OWN_ENTRIES.has(nameText(key))) info.set(key, plain);
  }
  to.trailerInfo.Info = to.register(info);
  const packet = readXmp(to);
  if (packet === undefined) return;
  const bare = INFO_KEYS.filter((key) => !OWN_ENTRIES.has(key) && entry(info, key) === undefined).reduce(
    (xmp, key) => withoutInfoValue(xmp, key),
    packet,
  );
  setEntry(target, 'Metadata', writeXmp(to, syncXmp(to, bare, info)));
}

function restoreShow(
  original: OpenedPdf,
  converted: OpenedPdf,
  source: PDFDict,
  target: PDFDict,
  part: RestoreOptions['part'],
): void {
  const [from, to] = [original.document.context, converted.document.context];
  const language = resolve(from, entry(source, 'Lang'));
  if (isString(language)) setEntry(target, 'Lang', language);
  for (const key of ['PageMode', 'PageLayout']) {
    const name = asName(from, entry(source, key));
    if (name !== undefined && name !== 'UseOC') setEntry(target, key, PDFName.of(name));
  }
  const labels = readPageLabels(from, original.pages.length);
  if (labels !== undefined && original.pages.length === converted.pages.length)
    setEntry(target, 'PageLabels', writePageLabels(to, labels));
  const copier = new ObjectCopier(from, to);
  const preferences = readViewerPreferences(from, source);
  if (preferences !== undefined) setEntry(target, 'ViewerPreferences', copier.copyDict(preferences));
  const collection = asDict(from, entry(source, 'Collection'));
  // The key of the file to show first has changed.
  if (collection !== undefined && part === 3)
    setEntry(target, 'Collection', copier.copyDict(collection, new Set(['D'])));
  copier.drain();
}

async function restoreFiles(
  from: PDFContext,
  { document: { context: to }, pages }: OpenedPdf,
  attachments: readonly EmbeddedAttachment[],
  { scratch, now, signal }: RestoreOptions,
): Promise<Omit<Restored, 'annotations'>> {
  const nameFor = distinctNames();
  const catalog = catalogOf(to);
  const shown = catalog === undefined ? undefined : entry(catalog, 'PageMode');
  const lost: string[] = [];
  const files: NewAttachment[] = [];
  let worked = 0;
  for (const [i, attachment] of attachments.entries()) {
    const plain = `${scratch}/kept-${i}`;
    const unpacked =
      worked < TOTAL_BYTES
        ? await unpackFile(from, attachment.file, plain, Math.min(MAX_FILE_BYTES, TOTAL_BYTES - worked), signal)
        : undefined;
    worked += unpacked?.worked ?? 0;
    if (unpacked?.outcome !== 'written') {
      lost.push(attachment.name);
      continue;
    }
    const { contentType, description, creationDate, modificationDate } = attachmentFacts(from, attachment);
    const packed = await packFile(to, plain, `${plain}-packed`, signal);
    files.push({
      name: nameFor(attachment.name === '' ? 'file' : attachment.name),
      file: packed.stream,
      size: packed.size,
      checksum: packed.checksum,
      mediaType: contentType ?? 'application/octet-stream',
      relationship: relationshipOf(from, attachment),
      ...(description === null ? {} : { description }),
      ...(creationDate === null ? {} : { created: new Date(creationDate) }),
      modified: modificationDate === null ? now : new Date(modificationDate),
    });
  }
  addAttachments(to, pages, files);
  // Files that existed before do not change the initial view.
  if (catalog !== undefined) setEntry(catalog, 'PageMode', shown);
  return { files: files.length, lost };
}

function relationshipOf(context: PDFContext, { spec }: EmbeddedAttachment): Relationship {
  const said = asName(context, entry(asDict(context, spec) ?? spec, 'AFRelationship'));
  return relationships.find((each) => each === said) ?? 'Unspecified';
}
