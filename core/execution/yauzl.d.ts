// yauzl 3.4 ships no types and the published ones stop before its promise interface; this is the part in use here.
declare module 'yauzl' {
  import type { Readable } from 'node:stream';
  export interface Entry {
    readonly fileName: string;
    readonly externalFileAttributes: number;
    readonly generalPurposeBitFlag: number;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
  }
  export interface ZipFile {
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  }
  export function openPromise(path: string, options: { lazyEntries: true; autoClose: boolean }): Promise<ZipFile>;
}
