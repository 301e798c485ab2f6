import { escapeXml } from '@quire/document/file/xml';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { InputError, isQuireError } from '@quire/registry/errors';
import { decodeHtml } from '../clean-html.js';
import { cleanPage, isOwnData } from './clean-page.js';
import { mapStyleAddresses, type AddressUse, type MapAddress } from './style-addresses.js';

/** A file loaded from another server. */
export interface WebFile {
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
}

/** How pages are got. */
export interface WebTools {
  readonly signal: AbortSignal;
  /** Gets what is at an address into a new file. */
  get(url: string, output: string): Promise<WebFile>;
  progress(done: number, total: number): void;
}

/** A page on disk with all it shows. */
export interface SavedPage {
  /** Cleaned, its addresses those of the files beside it. */
  readonly html: string;
  readonly title: string | undefined;
}

const MAX_FILES = 300;
const MAX_TOTAL_BYTES = 96 * 1024 * 1024;
const AT_ONCE = 6;
/** Files that take longer are left out, so that the rest can be printed within the time limit of a call. */
const PATIENCE_MS = 25_000;
const FIELD = 'urlInput';

/**
 * Saves a page and its style sheets, images and fonts into `folder`, through `get` only; unavailable parts are left
 * out. Throws URL_INVALID, URL_UNREACHABLE, URL_CONTENT_REFUSED, and ADDRESS_REFUSED of `get` for the page itself.
 */
export async function saveWebPage(address: string, folder: string, tools: WebTools): Promise<SavedPage> {
  await mkdir(`${folder}/r`, { recursive: true, mode: 0o700 });
  const { html, url } = await getPage(webAddress(address), `${folder}/source`, tools);
  refuseLocalFiles(html);
  const loader = new Loader(folder, tools);
  const page = cleanPage(html, loader.mapFor(baseOf(html, url), ''));
  await loader.finish();
  return page;
}

/** The address as it is called. Throws URL_INVALID for all but http and https with a host. */
function webAddress(address: string): string {
  const text = address.trim();
  if (!/^https?:\/\/[^/\s]/i.test(text) || !URL.canParse(text))
    throw new InputError('URL_INVALID', {
      field: FIELD,
      detail: 'it must begin with http:// or https:// and name a host',
    });
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new InputError('URL_INVALID', { field: FIELD, detail: 'it must not hold a password' });
  url.hash = '';
  return url.href;
}

async function getPage(
  url: string,
  file: string,
  { get }: WebTools,
): Promise<{ readonly html: string; readonly url: string }> {
  const answer = await get(url, file).catch((error: unknown) => {
    if (!isQuireError(error) || !['REMOTE_UNREACHABLE', 'REMOTE_ANSWER', 'REMOTE_TIMEOUT'].includes(error.code))
      throw error;
    throw new InputError('URL_UNREACHABLE', { field: FIELD, detail: error.message.replace(/\.$/, '') }, [], {
      cause: error,
    });
  });
  if (answer.status < 200 || answer.status > 299)
    throw new InputError('URL_UNREACHABLE', { field: FIELD, detail: `the other server answered ${answer.status}` });
  const [type = ''] = answer.mediaType.toLowerCase().split(';');
  const bytes = await readFile(file);
  await rm(file);
  if (
    !['text/html', 'application/xhtml+xml', 'text/plain', ''].includes(type.trim()) ||
    bytes.subarray(0, 5).toString('latin1') === '%PDF-'
  ) {
    throw new InputError('URL_CONTENT_REFUSED', {
      field: FIELD,
      detail: `it is not a web page but ${/^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim() : 'something else'}`,
    });
  }
  const text = decode(bytes, answer.mediaType);
  return {
    html: type.trim() === 'text/plain' ? `<pre>${escapeXml(text)}</pre>` : text,
    url: answer.url,
  };
}

/** The server's word on the encoding goes before the page's own (HTML, 13.2.3.2). */
function decode(bytes: Uint8Array, mediaType: string): string {
  const charset = /charset\s*=\s*"?([\w.:-]{2,40})/i.exec(mediaType)?.[1];
  try {
    return charset === undefined ? decodeHtml(bytes) : new TextDecoder(charset).decode(bytes);
  } catch {
    return decodeHtml(bytes);
  }
}

/** A page that points at files of the machine that prints it is up to no good, however it writes that. */
function refuseLocalFiles(html: string): void {
  const plain = html.replace(
    /%([0-7][0-9a-f])|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?|&colon;|[\t\n\r]/gi,
    (whole: string, percent?: string, hex?: string, decimal?: string) => {
      if (/^&colon;$/i.test(whole)) return ':';
      const code =
        percent !== undefined ? parseInt(percent, 16) : hex !== undefined ? parseInt(hex, 16) : Number(decimal ?? 0);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : ' ';
    },
  );
  if (/(?:=|\(|@import|url)\s{0,20}["']?\s{0,20}(?:view-source:)?file\s{0,5}:/i.test(plain))
    throw new InputError('URL_CONTENT_REFUSED', { field: FIELD, detail: 'it refers to files of this machine' });
}

function baseOf(html: string, url: string): string {
  const [, double, single, bare] =
    /<base\b[^>]{0,500}?\bhref\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s>"']{1,2000}))/i.exec(
      html.slice(0, 200_000),
    ) ?? [];
  const base = (double ?? single ?? bare)?.replace(/&amp;/gi, '&');
  return base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
}

/** Gets what a page shows, each address once, and what its style sheets show in turn. */
class Loader {
  readonly #names = new Map<string, string>();
  readonly #waiting: { readonly url: string; readonly name: string; readonly use: AddressUse }[] = [];
  #bytes = 0;
  #done = 0;

  constructor(
    private readonly folder: string,
    private readonly tools: WebTools,
  ) {}

  /**
   * Returns a mapping from the addresses of a document to file names; `up` is the path from the document to the page's
   * folder.
   */
  mapFor(base: string, up: string): MapAddress {
    return (address, use) => {
      if (isOwnData(address) || address.startsWith('#')) return address;
      if (!URL.canParse(address, base)) return undefined;
      const url = new URL(address, base);
      if (use === 'link') return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : undefined;
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
      const { hash } = url;
      url.hash = '';
      const key = `${use === 'style' ? 'style' : 'file'} ${url.href}`;
      let name = this.#names.get(key);
      if (name === undefined) {
        if (this.#names.size >= MAX_FILES) return undefined;
        name = `r/${this.#names.size}${use === 'style' ? '.css' : /\.svg$/i.test(url.pathname) ? '.svg' : ''}`;
        this.#names.set(key, name);
        this.#waiting.push({ url: url.href, name, use });
      }
      return `${up}${name}${hash}`;
    };
  }

  /** Gets everything that was named, as long as the patience lasts. */
  async finish(): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    const running = new Set<Promise<void>>();
    while (this.#waiting.length > 0 || running.size > 0) {
      this.tools.signal.throwIfAborted();
      while (running.size < AT_ONCE && Date.now() < until && this.#bytes < MAX_TOTAL_BYTES) {
        const next = this.#waiting.shift();
        if (next === undefined) break;
        const loading: Promise<void> = this.#load(next).finally(() => running.delete(loading));
        running.add(loading);
      }
      if (running.size === 0) return;
      await Promise.race(running);
      this.tools.progress(++this.#done, this.#names.size);
    }
  }

  async #load({
    url,
    name,
    use,
  }: {
    readonly url: string;
    readonly name: string;
    readonly use: AddressUse;
  }): Promise<void> {
    const path = `${this.folder}/${name}`;
    try {
      const answer = await this.tools.get(url, path);
      if (answer.status < 200 || answer.status > 299) return await rm(path, { force: true });
      const bytes = await readFile(path);
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_TOTAL_BYTES) return await rm(path, { force: true });
      if (use !== 'style') return;
      // Style sheets are in the folder of all files, one level below the page.
      await writeFile(
        `${path}.new`,
        mapStyleAddresses(decode(bytes, answer.mediaType), this.mapFor(answer.url, '../')),
        { mode: 0o600 },
      );
      await rename(`${path}.new`, path);
    } catch (error) {
      this.tools.signal.throwIfAborted();
      await rm(path, { force: true });
      // Unavailable parts are left out of the print; our own errors are not hidden.
      if (!isQuireError(error) || error.code === 'CONTRACT_BROKEN') throw error;
    }
  }
}
