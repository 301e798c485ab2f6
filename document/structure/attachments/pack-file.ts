import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate, deflateSync } from 'node:zlib';
import { type PDFContext, PDFName, type PDFRawStream } from 'pdf-lib';
import { dictOf } from '../../file/objects/index.js';
import { type LateData, lateStreamOf } from '../../file/reader/index.js';

/** A file as a stream of a document. */
export interface PackedFile {
  readonly stream: PDFRawStream;
  /** Bytes of the file itself. */
  readonly size: number;
  /** MD5 of the file itself. */
  readonly checksum: Uint8Array;
}

/** Readers reject data that inflates to many times its size as a zip bomb, so such a file is embedded uncompressed. */
const MAX_COMPRESSION_RATIO = 100;
const WORTH_IT = 0.9;
const PIECE = 256 * 1024;

/**
 * Creates a stream of a file: compressed into `scratch` (which must not exist yet) if that saves at least a tenth, else
 * from the file itself. Files whose first bytes show that they are already compressed are not tried. The file in use
 * must exist until the document is written. Rejects when `signal` aborts.
 */
export async function packFile(
  context: PDFContext,
  path: string,
  scratch: string,
  signal?: AbortSignal,
): Promise<PackedFile> {
  const hash = createHash('md5');
  const { size } = statSync(path);
  const options = signal === undefined ? {} : { signal };
  const source = createReadStream(path, { highWaterMark: PIECE });
  const plain = (): PackedFile => ({
    stream: lateStreamOf(dictOf(context, {}), fileData(path, size)),
    size,
    checksum: hash.digest(),
  });
  if (!savesSomething(path)) {
    await pipeline(source, watching(hash), new Writable({ write: (_chunk, _encoding, done) => done() }), options);
    return plain();
  }
  await pipeline(
    source,
    watching(hash),
    createDeflate(),
    createWriteStream(scratch, { flags: 'wx', mode: 0o600 }),
    options,
  );
  const packed = statSync(scratch).size;
  if (packed >= size * WORTH_IT || size > packed * MAX_COMPRESSION_RATIO) {
    await rm(scratch);
    return plain();
  }
  return {
    stream: lateStreamOf(dictOf(context, { Filter: PDFName.of('FlateDecode') }), fileData(scratch, packed)),
    size,
    checksum: hash.digest(),
  };
}

/** Passes data through and hashes it. */
function watching(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

/** Returns false if the first block of a file does not compress, as in images, videos and archives. */
function savesSomething(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    const head = piece.subarray(0, readSync(file, piece, 0, PIECE, 0));
    return deflateSync(head, { level: 1 }).length < head.length * WORTH_IT;
  } finally {
    closeSync(file);
  }
}

/** The bytes of a file, which are read on demand. */
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
          if (read === 0) throw new Error('a file became shorter while it was being embedded');
          yield piece.subarray(0, read);
          at += read;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}
