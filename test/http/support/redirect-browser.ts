import { send, type Answer } from './client.js';

/** Where a browser ended, and what it saw there. */
export interface Visit {
  readonly url: URL;
  readonly answer: Answer;
  /** All addresses on the way. */
  readonly way: readonly URL[];
}

const MOST_REDIRECTS = 20;

/** A browser without pages: keeps cookies by host and path, follows redirects, and keeps the fragment. */
export class RedirectBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  /** Goes to an address; stops at the first answer that is no redirect, or where `until` says so. */
  async visit(address: string | URL, until: (url: URL) => boolean = () => false): Promise<Visit> {
    let url = new URL(address);
    const way: URL[] = [];
    for (let count = 0; count < MOST_REDIRECTS; count++) {
      way.push(url);
      const answer = await send(url.href, { headers: this.#headers(url) });
      this.#keep(url, answer);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 399 || location === undefined) return { url, answer, way };
      const next = new URL(location, url);
      if (until(next)) return { url: next, answer, way: [...way, next] };
      url = next;
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects, the last to ${url.href}`);
  }

  /** Sends a form, as a page would, and follows the answer. */
  async submit(
    address: string,
    fields: Readonly<Record<string, string>>,
    until: (url: URL) => boolean = () => false,
  ): Promise<Visit> {
    const url = new URL(address);
    const answer = await send(address, {
      method: 'POST',
      headers: { ...this.#headers(url), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    this.#keep(url, answer);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status > 399 || location === undefined) return { url, answer, way: [url] };
    const next = new URL(location, url);
    if (until(next)) return { url: next, answer, way: [url, next] };
    const { way, ...end } = await this.visit(next, until);
    return { ...end, way: [url, ...way] };
  }

  /** Sets a cookie, as a page would. */
  set(site: string, name: string, value: string, path = '/'): void {
    this.#cookies.set(`${new URL(site).host} ${name}`, { value, path });
  }

  /** A browser with the same cookies. */
  copy(): RedirectBrowser {
    const copy = new RedirectBrowser();
    for (const [key, value] of this.#cookies) copy.#cookies.set(key, value);
    return copy;
  }

  /** Takes the cookies of an answer that a page has got. */
  receive(address: string, answer: Answer): void {
    this.#keep(new URL(address), answer);
  }

  /** Names of the cookies that a host would get at a path. */
  names(address: string): readonly string[] {
    return this.#of(new URL(address)).map(([name]) => name);
  }

  #headers(url: URL): Record<string, string> {
    const pairs = this.#of(url).map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
  }

  #of(url: URL): (readonly [string, string])[] {
    return [...this.#cookies].flatMap(([key, { value, path }]) => {
      const [host, name = ''] = key.split(' ');
      return host === url.host && url.pathname.startsWith(path) ? [[name, value] as const] : [];
    });
  }

  #keep(url: URL, { headers }: Answer): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
      const key = `${url.host} ${pair.slice(0, at)}`;
      const gone = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=thu, 01 jan 1970/i.test(one));
      if (gone) this.#cookies.delete(key);
      else this.#cookies.set(key, { value: pair.slice(at + 1), path });
    }
  }
}
