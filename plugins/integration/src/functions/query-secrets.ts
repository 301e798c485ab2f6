import { MASK } from './connection-types.js';

/** An address in pieces: what stands before the query, its parts, and the fragment. */
interface Parts {
  readonly place: string;
  readonly query: readonly string[] | undefined;
  readonly fragment: string | undefined;
}

/**
 * Gives an address or a path with `********` for every value of its query, for a query without names, and for its
 * fragment: keys are sent there, and none is told by its name alone.
 */
export function maskQuery(address: string): string {
  return joined(mapped(partsOf(address), () => MASK));
}

/**
 * Gives an address with what is masked in it as it is stored, where the same place is called; undefined where nothing
 * is stored that it could stand for.
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

/** The texts that `maskQuery` hides, as they stand there and as they are meant. */
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
