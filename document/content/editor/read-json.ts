import { DocumentError } from '../../errors.js';
import { checked } from './check-members.js';
import { JsonSlices, type Slice } from './json-slices.js';
import type { JsonField, JsonFont, JsonMetadata, JsonPage, RawObject } from './model.js';

/** Bytes of a document as JSON: it is in memory while it is read. */
export const MAX_JSON_BYTES = 512 * 1024 * 1024;
/** Pages of one. */
const MAX_PAGES = 50_000;

/** A document as JSON, read part by part. */
export interface JsonDocument {
  readonly metadata: JsonMetadata | undefined;
  /** The packet's bytes. */
  readonly xmpMetadata: Uint8Array | undefined;
  readonly pageCount: number;
  /** A page by its place in the list. Errors: INPUT_INVALID. */
  page(index: number): JsonPage;
  readonly fonts: readonly JsonFont[];
  readonly formFields: readonly JsonField[];
  readonly acroForm: RawObject | undefined;
  /** The catalog without pages, form and metadata: bookmarks, destinations, labels, layers, tags, attachments. */
  readonly documentCatalog: RawObject | undefined;
  /** An object that trees name. */
  shared(name: string): RawObject | undefined;
}

/**
 * Reads a document as JSON (`docs/interface/convert.yml`, text-editor/pdf). Members that are not there have their
 * defaults. Errors: INPUT_INVALID with JSON pointers for what is wrong, INPUT_TOO_COMPLEX beyond the bounds.
 */
export function readJsonDocument(bytes: Uint8Array): JsonDocument {
  if (bytes.length > MAX_JSON_BYTES)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'bytes of JSON', limit: MAX_JSON_BYTES });
  const slices = new JsonSlices(bytes);
  const members = slices.members(slices.root());
  if (members === undefined) throw refusal('', 'must be an object with the members of pdf/text-editor');
  const value = (name: string): unknown => {
    const slice = members.get(name);
    return slice === undefined ? null : slices.parse(slice);
  };
  const list = (name: string): readonly Slice[] => {
    const slice = members.get(name);
    if (slice === undefined || isNull(bytes, slice)) return [];
    const found = slices.elements(slice);
    if (found === undefined) throw refusal(`/${name}`, 'must be a list');
    return found;
  };
  const all = <K extends 'font' | 'field'>(kind: K, name: string) =>
    list(name).map((slice, i) => checked(kind, slices.parse(slice), `/${name}/${i}`));
  const tree = (name: string): RawObject | undefined => {
    const found = value(name);
    return found === null ? undefined : checked('raw', found, `/${name}`);
  };
  const pages = list('pages');
  if (pages.length > MAX_PAGES) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'pages', limit: MAX_PAGES });
  const metadata = value('metadata');
  const xmp = value('xmpMetadata');
  const sharedSlice = members.get('sharedObjects');
  const shared =
    sharedSlice === undefined || isNull(bytes, sharedSlice) ? new Map<string, Slice>() : slices.members(sharedSlice);
  if (shared === undefined) throw refusal('/sharedObjects', 'must be an object');
  return {
    metadata: metadata === null ? undefined : checked('metadata', metadata, '/metadata'),
    xmpMetadata: xmp === null ? undefined : Buffer.from(checked('base64', xmp, '/xmpMetadata'), 'base64'),
    pageCount: pages.length,
    page: (index) => checked('page', slices.parse(pages[index]!), `/pages/${index}`),
    fonts: all('font', 'fonts'),
    formFields: all('field', 'formFields'),
    acroForm: tree('acroForm'),
    documentCatalog: tree('documentCatalog'),
    shared: (name) => {
      const slice = shared.get(name);
      return slice === undefined ? undefined : checked('raw', slices.parse(slice), `/sharedObjects/${name}`);
    },
  };
}

function refusal(pointer: string, detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail: `${pointer === '' ? 'the document' : pointer} ${detail}` }, [
    { pointer, detail },
  ]);
}

function isNull(bytes: Uint8Array, { start }: Slice): boolean {
  return bytes[start] === 0x6e;
}
