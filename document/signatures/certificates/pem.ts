import { MAX_BYTES } from '../asn1/read-asn1.js';

/** One block of PEM text (RFC 7468, RFC 1421 for the headers of old keys). */
export interface PemBlock {
  readonly label: string;
  /** Header lines by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
}

const MAX_BLOCKS = 500;

/**
 * The blocks of PEM text, in order; text around them is ignored. Empty for bytes that are not PEM, and for more than
 * keys and certificates have.
 */
export function readPem(bytes: Uint8Array): PemBlock[] {
  if (bytes.length > MAX_BYTES) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const begin = /-----BEGIN ([A-Z0-9 #]{1,40})-----[ \t]{0,80}\r?\n/g;
  const end = /-----END ([A-Z0-9 #]{1,40})-----/g;
  const blocks: PemBlock[] = [];
  let last = end.exec(text);
  for (
    let first = begin.exec(text);
    first !== null && last !== null && blocks.length < MAX_BLOCKS;
    first = begin.exec(text)
  ) {
    // Ends only ever move on, so that a text of beginnings takes no longer than another.
    while (last !== null && last.index < begin.lastIndex) last = end.exec(text);
    if (last === null || last[1] !== first[1]) continue;
    blocks.push(blockOf(last[1] ?? '', text.slice(begin.lastIndex, last.index)));
    begin.lastIndex = end.lastIndex;
  }
  return blocks;
}

function blockOf(label: string, body: string): PemBlock {
  const blank = /^[\w-]+:/.test(body) ? /\r?\n[ \t]*\r?\n/.exec(body) : null;
  const headers = (blank === null ? '' : body.slice(0, blank.index)).split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
  });
  return {
    label,
    headers: new Map(headers),
    bytes: Buffer.from(body.slice(blank?.index ?? 0).replace(/[^A-Za-z0-9+/=]/g, ''), 'base64'),
  };
}
