import { MASK } from './connection-types.js';

/** An address in pieces: what stands before the query, its parts, and the fragment. */
interface Parts {
  readonly place: string;
  readonly query: readonly string[] | undefined;
  readonly fragment: string | undefined;
}

/**
 * Replaces every query value, a query without names, and the fragment of an address or path by `********`: keys are
 * sent there, and their names do not identify them.
 */
export function maskQuery(address: string): string {
  return joined(mapped(partsOf(address), () => MASK));
}

/**
 * Restores masked parts of an address from the stored one if the rest is equal; undefined if nothing is stored for
 * them.
 */
export function keepQuery(address: string, stored: string | undefined): string | undefined {
  if (!address.includes(MASK)) return address;
  const [given, kept] = [partsOf(address), stored === undefined ? undefined : partsOf(stored)];
  let lost = false;
  const values = valuesOf(kept);
  const whole = mapped(given, (value, name) => {
    if (value !== MASK) return value;
    // Of several of one name the first comes first.
    const own = kept?.place === given.place ? values.get(name)?.shift() : undefined;
    lost ||= own === undefined;
    return own ?? '';
  });
  return lost ? undefined : joined(whole);
}

/** Returns the texts that `maskQuery` hides, encoded and decoded. */
export function querySecrets(address: string): string[] {
  return [...valuesOf(partsOf(address)).values()].flat().flatMap((value) => {
    try {
      return [value, decodeURIComponent(value.replaceAll('+', ' '))];
    } catch {
      return [value];
    }
  });
}

function partsOf(address: string): Parts {
  const [before = '', ...fragment] = address.split('#');
  const [place = '', ...query] = before.split('?');
  return {
    place,
    query: query.length === 0 ? undefined : query.join('?').split('&'),
    fragment: fragment.length === 0 ? undefined : fragment.join('#'),
  };
}

/** The parts with each value replaced; a part without a name is one, and so is the fragment. */
function mapped({ place, query, fragment }: Parts, replace: (value: string, name: string) => string): Parts {
  const part = (text: string): string => {
    const at = text.indexOf('=');
    const [name, value] = at < 0 ? ['', text] : [text.slice(0, at + 1), text.slice(at + 1)];
    return value === '' ? text : `${name}${replace(value, name)}`;
  };
  return {
    place,
    query: query?.map(part),
    fragment: fragment === undefined || fragment === '' ? fragment : replace(fragment, '#'),
  };
}

function valuesOf(parts: Parts | undefined): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (parts !== undefined)
    mapped(parts, (value, name) => {
      values.set(name, [...(values.get(name) ?? []), value]);
      return value;
    });
  return values;
}

function joined({ place, query, fragment }: Parts): string {
  return `${place}${query === undefined ? '' : `?${query.join('&')}`}${fragment === undefined ? '' : `#${fragment}`}`;
}
