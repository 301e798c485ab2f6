/** The value of a name in a template. */
export type LookedUp = { readonly known: true; readonly value: unknown } | { readonly known: false };

const UNKNOWN: LookedUp = { known: false };
/** Names in a path at most. */
const MAX_STEPS = 50;

/**
 * The data that names in a template are looked up in: an item of a loop, with what lies around it. Only members of the
 * data itself are found, never those that every object of the language has.
 */
export class Scope {
  /** `loop`: place of the item (0-based) and how many there are. */
  constructor(
    readonly value: unknown,
    private readonly outer?: Scope,
    private readonly loop?: { readonly index: number; readonly count: number },
  ) {}

  /**
   * Resolves a path (`customer.name`, `items.0.price`): its first name in this scope, otherwise in outer ones; `.` and
   * `this` are the item itself; `@index`, `@number`, `@first`, `@last` and `@count` describe the innermost loop.
   */
  lookUp(path: string): LookedUp {
    if (path === '.' || path === 'this') return { known: true, value: this.value };
    if (path.startsWith('@')) return this.#ofLoop(path.slice(1));
    if (path.startsWith('this.')) return member(this.value, path.slice(5).split('.'));
    const whole = this.#nearest(path);
    if (whole.known || !path.includes('.')) return whole;
    const [first = '', ...rest] = path.split('.');
    const start = this.#nearest(first);
    return start.known ? member(start.value, rest) : UNKNOWN;
  }

  #nearest(name: string): LookedUp {
    const own = member(this.value, [name]);
    return own.known || this.outer === undefined ? own : this.outer.#nearest(name);
  }

  #ofLoop(name: string): LookedUp {
    if (this.loop === undefined) return this.outer === undefined ? UNKNOWN : this.outer.#ofLoop(name);
    const { index, count } = this.loop;
    const facts: Readonly<Record<string, unknown>> = {
      index,
      number: index + 1,
      first: index === 0,
      last: index === count - 1,
      count,
    };
    return member(facts, [name]);
  }
}

function member(value: unknown, names: readonly string[]): LookedUp {
  if (names.length > MAX_STEPS) return UNKNOWN;
  let at = value;
  for (const name of names) {
    if (
      typeof at !== 'object' ||
      at === null ||
      !Object.hasOwn(at, name) ||
      (Array.isArray(at) && !/^\d{1,9}$/.test(name))
    )
      return UNKNOWN;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return { known: true, value: at };
}

/**
 * How often what stands between `{{#name}}` and `{{/name}}` comes, and with what: once for each item of a list, once
 * for what is there, not at all for what is not.
 */
export function repetitions(value: unknown, outer: Scope): readonly Scope[] {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => new Scope(item, outer, { index, count: value.length }));
  if (value === undefined || value === null || value === false || value === '' || value === 0) return [];
  return [typeof value === 'object' ? new Scope(value, outer) : outer];
}

/**
 * A value as text; undefined for what has none (an object, a list of objects). Lists are joined by commas, `null` is
 * empty.
 */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
  }
  if (value === null) return '';
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item: unknown) => (Array.isArray(item) ? undefined : textOf(item)));
  return texts.some((text) => text === undefined) ? undefined : texts.join(', ');
}
