import { open, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** The origin of the page's folder. The name can never exist (RFC 2606). */
export const PAGE_ORIGIN = 'http://document.invalid';

/** A file as the browser receives it. */
export interface PageFile {
  readonly body: Buffer;
  readonly contentType: string;
}

const MAX_FILE_BYTES = 64 * 1024 ** 2;
const MAX_TOTAL_BYTES = 256 * 1024 ** 2;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};

/** The files that one page may load: those in its own folder, without links that lead out of it, limited in size. */
export class PageFiles {
  #left = MAX_TOTAL_BYTES;

  private constructor(private readonly root: string) {}

  static async of(folder: string): Promise<PageFiles> {
    return new PageFiles(await realpath(folder));
  }

  /**
   * Returns the file at an address of the page's origin; undefined for every other address, and for a file that cannot
   * be read.
   */
  async read(address: string): Promise<PageFile | undefined> {
    try {
      const url = new URL(address);
      if (url.origin !== PAGE_ORIGIN) return undefined;
      const path = decodeURIComponent(url.pathname);
      if (path.includes('\0')) return undefined;
      const file = await realpath(join(this.root, path));
      if (!file.startsWith(this.root + sep) || !(await stat(file)).isFile()) return undefined;
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        if (size > MAX_FILE_BYTES || size > this.#left) return undefined;
        this.#left -= size;
        const body = await handle.readFile();
        // Other unknown types are left to the browser, which detects images and fonts by their bytes, but not SVG.
        const isDrawing = /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^>]*>\s*)?(<!DOCTYPE svg\b[^>]*>\s*)?<svg\b/i.test(
          body.subarray(0, 1024).toString('utf8'),
        );
        return {
          body,
          contentType: types[extname(file).toLowerCase()] ?? (isDrawing ? 'image/svg+xml' : 'application/octet-stream'),
        };
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  }
}
