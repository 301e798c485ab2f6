import { InputError } from '@quire/registry/errors';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { ZipFile as ZipWriter } from 'yazl';

const MAX_ENTRIES = 10_000;
const MAX_TOTAL = 1024 * 1024 * 1024;
/** Largest part that is searched for references; a document's text stays far below. */
const MAX_SEARCHED = 64 * 1024 * 1024;
/** The root element of a part must begin within this much. */
const PROLOGUE = 64 * 1024;
/** Deflate reaches about 1000; documents stay far below. Small files may be anything. */
const MAX_RATIO = 400;
const RATIO_FROM = 10 * 1024 * 1024;

/**
 * Takes references to other servers and files out of an office document in a zip (OOXML, ODF), so that the office program has nothing
 * to fetch; links for the reader to click stay. Bytes that are no zip come back as they are.
 * Errors: ARCHIVE_UNSAFE for bombs, bad names and XML with a document type.
 */
export async function cleanOffice(bytes: Uint8Array, field = 'fileInput'): Promise<Uint8Array> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PK\x03\x04') return bytes;
  const refuse = (detail: string, cause?: unknown): InputError => new InputError('ARCHIVE_UNSAFE', { field, detail }, [], { cause });
  const source = await openZip(bytes).catch((error: unknown) => { throw refuse('it is no readable zip archive', error); });
  const target = new ZipWriter();
  let entries = 0;
  let total = 0;
  try {
    for await (const entry of source.eachEntry()) {
      if (++entries > MAX_ENTRIES) throw refuse(`it holds more than ${MAX_ENTRIES} files`);
      total += entry.uncompressedSize;
      checkSize(entry, total, refuse);
      if (entry.fileName.endsWith('/')) continue;
      const data = await readEntry(source, entry);
      // Stored, since the copy lives for one conversion only.
      target.addBuffer(cleanPart(entry.fileName, data, refuse), entry.fileName, { compress: false, mtime: new Date(Date.UTC(1980, 0, 2)) });
    }
  } catch (error) {
    throw error instanceof InputError ? error : refuse('it is damaged', error);
  } finally {
    source.close();
  }
  target.end();
  return collect(target);
}

function checkSize(entry: Entry, total: number, refuse: (detail: string) => InputError): void {
  if (total > MAX_TOTAL) throw refuse(`it unpacks to more than ${MAX_TOTAL} bytes`);
  if (entry.uncompressedSize > RATIO_FROM && entry.uncompressedSize > entry.compressedSize * MAX_RATIO) throw refuse('it unpacks to far more than it holds');
}

function cleanPart(name: string, data: Buffer, refuse: (detail: string) => InputError): Buffer {
  if (!/\.(xml|rels|rdf|vml)$/i.test(name) || data.length === 0) return data;
  const prologue = decodeXml(data.subarray(0, PROLOGUE));
  const root = prologue.search(/<[A-Za-z_]/);
  // Neither format allows a document type; entities are the way to files and to exponential growth (ECMA-376-2, 8.2.5.2).
  if (/<!(DOCTYPE|ENTITY)/i.test(root < 0 ? prologue : prologue.slice(0, root))) throw refuse('an XML part has a document type declaration');
  const relationships = /\.rels$/i.test(name);
  if (!relationships && !/(^|\/)(content|styles|settings|meta)\.xml$/i.test(name)) return data;
  if (root < 0 || data.length > MAX_SEARCHED) throw refuse('an XML part is too large or has no root element');
  const text = decodeXml(data);
  const cleaned = relationships ? cleanRelationships(text) : cleanReferences(text);
  return cleaned === text ? data : Buffer.from(cleaned.replace(/^(\uFEFF?<\?xml[^>]*?encoding=["'])[^"']*/i, '$1UTF-8'), 'utf8');
}

function decodeXml(data: Buffer): string {
  if (data[0] === 0xff && data[1] === 0xfe) return data.toString('utf16le');
  if (data[0] === 0xfe && data[1] === 0xff) return Buffer.from(data.subarray(0, data.length & ~1)).swap16().toString('utf16le');
  return data.toString('utf8');
}

/** OOXML: external targets other than hyperlinks lead nowhere (ECMA-376-2, 9.3). An empty relationship keeps the ids that parts use. */
function cleanRelationships(text: string): string {
  return text.replace(/<(?:\w+:)?Relationship\b[^>]*>/g, (tag) => {
    const external = /\bTargetMode\s*=\s*["']External["']/i.test(tag);
    const link = /\bType\s*=\s*["'][^"']*\/hyperlink["']/i.test(tag);
    return external && !link ? tag.replace(/\bTarget\s*=\s*("[^"]*"|'[^']*')/i, 'Target="about:blank"') : tag;
  });
}

/** ODF: links of pictures, objects, sections and scripts that leave the package (OpenDocument 1.3, 19.910); `text:a` and `draw:a` stay. */
function cleanReferences(text: string): string {
  return text.replace(/<(?!text:a\b|draw:a\b)[\w.-]+:[\w.-]+\b[^>]*\bxlink:href\s*=[^>]*>/g, (tag) =>
    tag.replace(/\bxlink:href\s*=\s*(["'])\s*(?:[a-z][a-z0-9+.-]*:|\/|\\|\.\.)[^"']*\1/gi, 'xlink:href=""'));
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    fromBuffer(buffer, { lazyEntries: true, validateEntrySizes: true, strictFileNames: false }, (error, zip) => (error === null ? resolve(zip) : reject(error)));
  });
}

function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject).on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}

async function collect(target: ZipWriter): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of target.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
