/** One block of PEM text (RFC 7468, RFC 1421 for the headers of old keys). */
export interface PemBlock {
  readonly label: string;
  /** Header lines by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** The block as it stands there. */
  readonly text: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 #]{1,40})-----\s*?\r?\n([\s\S]*?)-----END \1-----/g;
const MAX_BLOCKS = 500;

/** The blocks of PEM text, in order; text around them is passed over. None for bytes that are no PEM. */
export function readPem(bytes: Uint8Array): PemBlock[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return [...text.matchAll(BLOCK)].slice(0, MAX_BLOCKS).map(([whole, label = '', body = '']) => {
    const blank = /\r?\n[ \t]*\r?\n/.exec(body);
    const hasHeaders = blank !== null && /^\s*[\w-]+:/.test(body);
    const headers = hasHeaders ? body.slice(0, blank.index).split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
    }) : [];
    const base64 = hasHeaders ? body.slice(blank.index) : body;
    return { label, headers: new Map(headers), bytes: Buffer.from(base64.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64'), text: whole };
  });
}
