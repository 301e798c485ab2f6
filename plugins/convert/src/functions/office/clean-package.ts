import { pipeline } from 'node:stream/promises';
import {
  checkZipEntry,
  guardEntry,
  refuseArchive,
  type UnpackBudget,
  writeZip,
  type ZipMember,
} from '@quire/document/file/zip';
import { InputError } from '@quire/registry/errors';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { decodeXml } from '@quire/document/file/xml';
import type { MayStay } from './outside.js';
import { cleanRelationships, cleanXml } from './xml-references.js';

const MAX_ENTRIES = 10_000;
/** Largest part that is searched for references; the text of a document and the cells of a sheet stay below. */
const MAX_SEARCHED = 192 * 1024 * 1024;
/** Parts that are XML by their names; others are looked at. */
const xmlName = /\.(?:xml|rels|rdf|vml|svg)$/i;

/** How a package is cleaned. */
export interface PackageCleaning {
  readonly mayStay: MayStay;
  readonly signal: AbortSignal;
  readonly field?: string;
  /** Called with each part that is XML. */
  readonly look?: (name: string, xml: string) => void;
}

/**
 * Removes references to other servers and files from an office document in a zip (OOXML, ODF), so that LibreOffice has
 * nothing to load; clickable links stay. Writes the result to `target` uncompressed, because it is used for one
 * conversion only. Throws ARCHIVE_UNSAFE for zip bombs, bad names and XML with an internal DTD, OFFICE_ENCRYPTED for
 * password-protected documents.
 */
export async function cleanPackage(
  source: string,
  target: string,
  { mayStay, signal, field = 'fileInput', look }: PackageCleaning,
): Promise<void> {
  const refuse = refuseArchive(field);
  const locked = (): InputError => new InputError('OFFICE_ENCRYPTED', { field });
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(source, { lazyEntries: true, autoClose: false });
    const budget: UnpackBudget = { entries: 0, bytes: 0 };
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (++budget.entries > MAX_ENTRIES) throw refuse(`it holds more than ${MAX_ENTRIES} files`);
      if ((entry.generalPurposeBitFlag & 1) !== 0) throw locked();
      checkZipEntry(entry, refuse);
      if (!entry.fileName.endsWith('/')) entries.push(entry);
    }
    const opened = zip;
    const read = (entry: Entry): Promise<Buffer> => readEntry(opened, entry, budget, refuse);
    // Relationships first: what a part may do with an id depends on them.
    const outside = new Map<string, ReadonlySet<string>>();
    const relations = new Map<Entry, Buffer>();
    for (const entry of entries.filter(({ fileName }) => /\.rels$/i.test(fileName))) {
      const { text, outsideIds } = cleanRelationships(decodeXml(await read(entry), refuse), mayStay);
      relations.set(entry, Buffer.from(text, 'utf8'));
      outside.set(entry.fileName.replace(/(^|\/)_rels\/([^/]*)\.rels$/i, '$1$2'), outsideIds);
    }
    const cleaned = async (entry: Entry): Promise<Buffer> => {
      const known = relations.get(entry);
      if (known !== undefined) return known;
      const data = await read(entry);
      const name = entry.fileName;
      if (/^META-INF\/manifest\.xml$/i.test(name) && /<(?:[\w-]+:)?encryption-data\b/.test(data.toString('latin1')))
        throw locked();
      if (data.length === 0 || !(xmlName.test(name) || beginsLikeXml(data))) return data;
      if (data.length > MAX_SEARCHED) throw refuse(`an XML part is larger than ${MAX_SEARCHED} bytes`);
      const outsideIds = outside.get(name);
      const rules = { inPackage: true, mayStay, ...(outsideIds === undefined ? {} : { outsideIds }) };
      const xml = decodeXml(data, refuse);
      look?.(name, xml);
      return Buffer.from(cleanXml(xml, rules), 'utf8');
    };
    async function* members(): AsyncGenerator<ZipMember> {
      for (const entry of entries) {
        signal.throwIfAborted();
        yield { name: entry.fileName, content: await cleaned(entry), stored: true };
      }
    }
    await writeZip(members(), target, signal);
  } catch (error) {
    if (signal.aborted || (error as { code?: unknown }).code === 'ENOSPC' || isCoded(error)) throw error;
    throw refuse('it is damaged, or no readable zip archive', error);
  } finally {
    zip?.close();
  }
}

const isCoded = (error: unknown): boolean =>
  /^(?:ARCHIVE|OFFICE|INPUT)_/.test(String((error as { code?: unknown }).code));

/** True for what begins like markup in one of the encodings that XML is written in. */
export function beginsLikeXml(data: Buffer): boolean {
  return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\s\0]*<[\0?!A-Za-z]/.test(data.toString('latin1', 0, 256));
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  budget: UnpackBudget,
  refuse: ReturnType<typeof refuseArchive>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await pipeline(
    await zip.openReadStreamPromise(entry),
    guardEntry(entry.compressedSize, budget, refuse),
    async (stream: AsyncIterable<Buffer>) => {
      for await (const chunk of stream) chunks.push(chunk);
    },
  );
  return Buffer.concat(chunks);
}
