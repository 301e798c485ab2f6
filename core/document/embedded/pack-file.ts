import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { type PDFContext, PDFName, type PDFRawStream } from 'pdf-lib';
import { dictOf } from '../objects/index.js';
import { type LateData, lateStreamOf } from '../reader/index.js';

/** A file as a stream of a document. */
export interface PackedFile {
  readonly stream: PDFRawStream;
  /** Bytes of the file itself. */
  readonly size: number;
  /** MD5 of the file itself. */
  readonly checksum: Uint8Array;
}

/** Readers take what inflates to many times its size for a bomb; such a file is embedded as it is. */
const BELIEVED_RATIO = 100;
const PIECE = 256 * 1024;

/**
 * Makes a stream of a file, deflated into `scratch` (where nothing is yet) when that saves a tenth, else of the file itself. Whichever it is
 * must stay until the document is written. Rejects when `signal` aborts.
 */
export async function packFile(context: PDFContext, path: string, scratch: string, signal?: AbortSignal): Promise<PackedFile> {
  const hash = createHash('md5');
  let size = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(path, { highWaterMark: PIECE }), watch, createDeflate(), createWriteStream(scratch, { flags: 'wx', mode: 0o600 }), signal === undefined ? {} : { signal });
  const packed = statSync(scratch).size;
  const worthIt = packed < size * 0.9 && size <= packed * BELIEVED_RATIO;
  if (!worthIt) await rm(scratch);
  const dict = dictOf(context, worthIt ? { Filter: PDFName.of('FlateDecode') } : {});
  return { stream: lateStreamOf(dict, fileData(worthIt ? scratch : path, worthIt ? packed : size)), size, checksum: hash.digest() };
}

/** The bytes of a file, read when they are asked for. */
function fileData(path: string, length: number): LateData {
  return {
    length,
    bytes: () => readFileSync(path),
    *pieces() {
      const file = openSync(path, 'r');
      try {
        const piece = Buffer.allocUnsafe(Math.min(PIECE, length));
        for (let at = 0; at < length;) {
          const read = readSync(file, piece, 0, piece.length, at);
          if (read === 0) throw new Error('a file became shorter while it was embedded');
          yield piece.subarray(0, read);
          at += read;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}
