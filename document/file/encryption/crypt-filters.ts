import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject } from 'pdf-lib';
import type { CryptMethod } from './cipher.js';

/** The encryption method for each kind of data (ISO 32000-1, 7.6.5). */
export interface CryptFilters {
  readonly streams: CryptMethod;
  readonly strings: CryptMethod;
  /** For embedded files that name no filter. */
  readonly embeddedFiles: CryptMethod;
  /** The methods that a stream can name in a /Crypt filter. */
  readonly named: ReadonlyMap<PDFName, CryptMethod>;
  readonly encryptMetadata: boolean;
}

const CRYPT = PDFName.of('Crypt');
const DECODE_PARMS = PDFName.of('DecodeParms');
const EMBEDDED_FILE = PDFName.of('EmbeddedFile');
const FILTER = PDFName.of('Filter');
const IDENTITY = PDFName.of('Identity');
const METADATA = PDFName.of('Metadata');
const NAME = PDFName.of('Name');
const PARAMS = PDFName.of('Params');
const TYPE = PDFName.of('Type');
const XREF = PDFName.of('XRef');

/** One method for everything, as before crypt filters existed. */
export function uniform(method: CryptMethod, encryptMetadata = true): CryptFilters {
  return { streams: method, strings: method, embeddedFiles: method, named: new Map(), encryptMetadata };
}

/** Reads the crypt filters of an encryption dictionary; `otherwise` is for names that it does not define. */
export function readCryptFilters(encrypt: PDFDict, otherwise: CryptMethod, encryptMetadata: boolean): CryptFilters {
  const named = new Map<PDFName, CryptMethod>();
  const filters = encrypt.lookup(PDFName.of('CF'));
  for (const [name] of filters instanceof PDFDict ? filters.entries() : []) {
    const filter = filters instanceof PDFDict ? filters.lookup(name) : undefined;
    if (filter instanceof PDFDict) named.set(name, methodNamed(filter.lookup(PDFName.of('CFM')), otherwise));
  }
  named.set(IDENTITY, 'none');
  const method = (key: string): CryptMethod | undefined => {
    const name = encrypt.lookup(PDFName.of(key));
    return name instanceof PDFName ? (named.get(name) ?? otherwise) : undefined;
  };
  const streams = method('StmF') ?? 'none';
  return {
    streams,
    strings: method('StrF') ?? 'none',
    embeddedFiles: method('EFF') ?? streams,
    named,
    encryptMetadata,
  };
}

function methodNamed(name: PDFObject | undefined, otherwise: CryptMethod): CryptMethod {
  switch (name instanceof PDFName ? name.decodeText() : 'None') {
    case 'None':
      return 'none';
    case 'V2':
      return 'RC4';
    case 'AESV2':
      return 'AESV2';
    case 'AESV3':
      return 'AESV3';
    default:
      return otherwise;
  }
}

/** The method for a stream, by its dictionary. */
export function streamMethod(filters: CryptFilters, dict: PDFDict): CryptMethod {
  const type = dict.lookup(TYPE);
  // Cross-reference streams lead to the keys, so they are never encrypted (7.5.8.2).
  if (type === XREF) return 'none';
  const own = ownFilter(dict);
  if (own !== undefined) return filters.named.get(own.name) ?? filters.streams;
  if (type === METADATA && !filters.encryptMetadata) return 'none';
  // /Type may be missing from an embedded file; /Params is found nowhere else.
  const embedded = type === EMBEDDED_FILE || (type === undefined && dict.lookup(PARAMS) instanceof PDFDict);
  return embedded ? filters.embeddedFiles : filters.streams;
}

/** The crypt filter that a stream names, and its index among the stream's filters. */
function ownFilter(dict: PDFDict): { readonly name: PDFName; readonly index: number } | undefined {
  const direct = dict.get(FILTER);
  if (direct === undefined || (direct instanceof PDFName && direct !== CRYPT)) return undefined;
  const filter = dict.lookup(FILTER);
  const index = filter instanceof PDFArray ? filter.asArray().indexOf(CRYPT) : filter === CRYPT ? 0 : -1;
  if (index < 0) return undefined;
  const all = dict.lookup(DECODE_PARMS);
  const own = all instanceof PDFArray && index < all.size() ? all.lookup(index) : all;
  const name = own instanceof PDFDict ? own.lookup(NAME) : undefined;
  return { name: name instanceof PDFName ? name : IDENTITY, index };
}

/**
 * A copy of a stream's dictionary without its /Crypt filter, for plain data; the same dictionary where there is none.
 */
export function withoutCryptFilter(dict: PDFDict): PDFDict {
  const own = ownFilter(dict);
  if (own === undefined) return dict;
  const copy = dict.clone();
  for (const key of [FILTER, DECODE_PARMS]) {
    const value = dict.lookup(key);
    const rest = value instanceof PDFArray ? value.asArray().filter((_, i) => i !== own.index) : [];
    if (rest.length === 0) copy.delete(key);
    else copy.set(key, arrayOf(dict, rest));
  }
  return copy;
}

/**
 * A stream's dictionary for a new encryption: without crypt filters of the old one, and with an identity filter where
 * the data stays plain.
 */
export function underNewEncryption(dict: PDFDict, method: (dict: PDFDict) => CryptMethod): PDFDict {
  const bare = withoutCryptFilter(dict);
  return method(bare) === 'none' ? withIdentity(bare) : bare;
}

/**
 * The same for an encryption that a document keeps: plain metadata gets an identity filter. Some readers need it to
 * recognise plain metadata (ISO 32000-1, 7.6.5.1), and the filter was removed on reading.
 */
export function underKeptEncryption(dict: PDFDict, method: (dict: PDFDict) => CryptMethod): PDFDict {
  return dict.lookup(TYPE) === METADATA && ownFilter(dict) === undefined && method(dict) === 'none'
    ? withIdentity(dict)
    : dict;
}

function withIdentity(dict: PDFDict): PDFDict {
  const listed = (key: PDFName): PDFObject[] => {
    const value = dict.lookup(key);
    return value instanceof PDFArray ? value.asArray() : value === undefined ? [] : [value];
  };
  const filters = listed(FILTER);
  const parameters = listed(DECODE_PARMS);
  const copy = dict.clone();
  copy.set(FILTER, arrayOf(dict, [CRYPT, ...filters]));
  copy.set(
    DECODE_PARMS,
    arrayOf(dict, [
      dict.context.obj({ Type: 'CryptFilterDecodeParms', Name: 'Identity' }),
      ...filters.map((_, i) => parameters[i] ?? PDFNull),
    ]),
  );
  return copy;
}

function arrayOf(dict: PDFDict, elements: readonly PDFObject[]): PDFArray {
  const array = PDFArray.withContext(dict.context);
  for (const element of elements) array.push(element);
  return array;
}
