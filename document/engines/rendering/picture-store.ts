import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { PDFDict, PDFRawStream } from 'pdf-lib';
import { DeferredStream } from '../../file/streams/index.js';

/** A file that holds the images of many pages until the document is written, so that only one is in memory. */
export class PictureStore {
  #size = 0;

  /**
   * The file at this path is created with the first image, and one beside it when a document must be written to be
   * rendered; the owner of the folder removes them.
   */
  constructor(readonly path: string) {}

  /** Stores encoded data and returns a stream that reads it on each access. */
  add(dict: PDFDict, data: Uint8Array): PDFRawStream {
    const start = this.#size;
    const file = openSync(this.path, 'a');
    try {
      for (let done = 0; done < data.length;) done += writeSync(file, data, done);
    } finally {
      closeSync(file);
    }
    this.#size += data.length;
    const { length } = data;
    return new StoredPicture(dict, () => readPart(this.path, start, length));
  }
}

class StoredPicture extends DeferredStream {
  constructor(
    dict: PDFDict,
    protected readonly load: () => Uint8Array,
  ) {
    super(dict);
  }
}

function readPart(path: string, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    for (let done = 0; done < length;) {
      const read = readSync(file, bytes, done, length - done, start + done);
      if (read === 0) throw new RangeError('a stored image is shorter than it was');
      done += read;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}
