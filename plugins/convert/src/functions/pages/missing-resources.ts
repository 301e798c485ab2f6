import { existsSync } from 'node:fs';
import type { MapAddress } from './style-addresses.js';

const SHOWN = 3;
const LONGEST_ADDRESS = 120;

/** Notes pictures, fonts and style sheets that a page names and that are not printed. */
export class MissingResources {
  readonly #elsewhere = new Set<string>();
  readonly #absent = new Set<string>();

  constructor(private readonly folder: string) {}

  /** Maps as `map` does, and notes what it refuses and what is not in the folder. */
  watch(map: MapAddress): MapAddress {
    return (address, use) => {
      const mapped = map(address, use);
      if (use === 'link' || address === '') return mapped;
      if (mapped === undefined) this.#elsewhere.add(address);
      else if (mapped.startsWith('./') && !this.#isThere(mapped)) this.#absent.add(address);
      return mapped;
    };
  }

  /** The warning for users; undefined if nothing is missing. */
  get warning(): string | undefined {
    const count = this.#elsewhere.size + this.#absent.size;
    if (count === 0) return undefined;
    const reasons = [
      ...reason(this.#absent, 'not found in the upload'),
      ...reason(this.#elsewhere, 'outside the upload, from where nothing is loaded'),
    ];
    const noun = count === 1 ? 'resource' : 'resources';
    return (
      `${count} ${noun} of the page could not be loaded: ${reasons.join('; ')}. Send ` +
      'a zip that contains the page and its files.'
    );
  }

  #isThere(mapped: string): boolean {
    try {
      const path = decodeURIComponent(mapped.replace(/[?#].*$/, ''));
      return !path.includes('\0') && existsSync(`${this.folder}/${path}`);
    } catch {
      return false;
    }
  }
}

function reason(addresses: ReadonlySet<string>, why: string): string[] {
  if (addresses.size === 0) return [];
  const first = [...addresses]
    .slice(0, SHOWN)
    .map((address) => (address.length > LONGEST_ADDRESS ? `${address.slice(0, LONGEST_ADDRESS)}...` : address));
  const more = addresses.size > SHOWN ? ` and ${addresses.size - SHOWN} more` : '';
  return [`${first.join(', ')}${more} (${why})`];
}
