import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../request/index.js';

export type AnswerEncoding = Encoding | 'identity';

/** A JSON answer in one content encoding. */
export interface EncodedAnswer {
  /** Strong validator of the body in this encoding (RFC 9110, 8.8.3), with its quotes. */
  readonly etag: string;
  body(): Promise<Buffer>;
}

/** The ETag of a body: of what determines it, and of its encoding. */
export function etagOf(text: string, encoding: AnswerEncoding): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

export async function compress(text: string, encoding: AnswerEncoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(text);
  if (encoding === 'br') return promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return Buffer.from(text);
}

/** Whether If-None-Match names this ETag (RFC 9110, 13.1.2: weakly compared). */
export function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((item) => ['*', etag].includes(item.trim().replace(/^W\//, '')));
}
