import { InputError } from '@quire/registry';
import { scopeOfElements, type AttributePath, type Scope } from '../model/attribute-path.js';
import { operators, type Filter, type FilterValue, type Operator, type PatchPath } from './filter.js';
import { tokensOf, type Token } from './tokens.js';

/** Longer filters and deeper ones are not understood: what they cost is bounded. */
const LONGEST = 4000;
const DEEPEST = 20;

/** Reads a filter (RFC 7644, 3.4.2.2). Throws SCIM_FILTER_INVALID with the place. */
export function parseFilter(text: string, scope: Scope): Filter {
  const reader = new FilterReader(text);
  const filter = reader.expression(scope, 0);
  reader.end();
  return filter;
}

/** Reads the path of an operation of PATCH (RFC 7644, 3.5.2). Throws SCIM_PATH_INVALID. */
export function parsePath(text: string, scope: Scope): PatchPath {
  try {
    const reader = new FilterReader(text);
    const path = reader.target(scope);
    reader.end();
    return path;
  } catch (error) {
    const { code, data } = error as Partial<InputError>;
    if (code !== 'SCIM_FILTER_INVALID') throw error;
    throw new InputError(
      'SCIM_PATH_INVALID',
      { path: text.slice(0, 100), detail: `${String(data?.['detail'])} (character ${String(data?.['position'])})` },
      [],
      { cause: error },
    );
  }
}

class FilterReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(private readonly text: string) {
    if (text.length > LONGEST) throw fault(LONGEST, `it is longer than ${LONGEST} characters`);
    this.#tokens = tokensOf(text);
  }

  end(): void {
    const token = this.#tokens[this.#at];
    if (token !== undefined) this.#refuse(`"${token.text}" is not expected here`);
  }

  /** `or` binds weaker than `and`. */
  expression(scope: Scope, depth: number): Filter {
    let left = this.#conjunction(scope, depth);
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#conjunction(scope, depth) };
    return left;
  }

  /** `name`, `name.sub`, `name[filter]` or `name[filter].sub`. */
  target(scope: Scope): PatchPath {
    const path = this.#attribute(scope);
    if (!this.#take('[')) return path;
    const filter = this.#elements(path, 0);
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'word' || !next.text.startsWith('.')) return { ...path, filter };
    const sub = scopeOfElements(path.attribute)(next.text.slice(1))?.attribute;
    if (sub === undefined) this.#refuse(`"${path.attribute.name}" has no sub-attribute "${next.text.slice(1)}"`);
    this.#at++;
    return { ...path, filter, sub };
  }

  #conjunction(scope: Scope, depth: number): Filter {
    let left = this.#term(scope, depth);
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#term(scope, depth) };
    return left;
  }

  #term(scope: Scope, depth: number): Filter {
    if (depth > DEEPEST) this.#refuse(`it has more than ${DEEPEST} levels of brackets`);
    if (this.#takeWord('not')) {
      if (!this.#take('(')) this.#refuse('"not" needs a filter in brackets');
      return { kind: 'not', of: this.#bracketed(scope, depth) };
    }
    if (this.#take('(')) return this.#bracketed(scope, depth);
    const path = this.#attribute(scope);
    if (this.#take('[')) return { kind: 'elements', path, filter: this.#elements(path, depth) };
    return this.#comparison(path);
  }

  #bracketed(scope: Scope, depth: number): Filter {
    const filter = this.expression(scope, depth + 1);
    if (!this.#take(')')) this.#refuse('")" is missing');
    return filter;
  }

  #elements({ attribute, sub }: AttributePath, depth: number): Filter {
    if (attribute.multiValued !== true || attribute.type !== 'complex' || sub !== undefined)
      this.#refuse(`"${attribute.name}" is not a list whose elements can be chosen`, -1);
    const filter = this.expression(scopeOfElements(attribute), depth + 1);
    if (!this.#take(']')) this.#refuse('"]" is missing');
    return filter;
  }

  #comparison(path: AttributePath): Filter {
    if (this.#takeWord('pr')) return { kind: 'present', path };
    const operator = this.#operator();
    const compared = this.#compared(path);
    const value = this.#value(compared.sub ?? compared.attribute, operator);
    return { kind: 'compare', path: compared, operator, value };
  }

  /** A complex attribute is compared by its `value` (RFC 7644, 3.4.2.2). */
  #compared(path: AttributePath): AttributePath {
    if (path.sub !== undefined || path.attribute.type !== 'complex') return path;
    const sub = path.attribute.subAttributes?.find(({ name }) => name === 'value');
    if (sub === undefined) this.#refuse(`"${path.attribute.name}" has parts; name one of them`, -2);
    return { ...path, sub };
  }

  #operator(): Operator {
    const word = this.#tokens[this.#at]?.text.toLowerCase();
    const operator = operators.find((one) => one === word);
    if (operator === undefined) this.#refuse(`one of ${operators.join(', ')} or pr is expected`);
    this.#at++;
    return operator;
  }

  #value({ name, type }: AttributePath['attribute'], operator: Operator): FilterValue {
    const token = this.#tokens[this.#at];
    if (token?.value === undefined) this.#refuse('a text in double quotes, a number, true, false or null is expected');
    const equality = operator === 'eq' || operator === 'ne';
    // Some clients write "True" for true.
    const isBoolean = /^(true|false)$/i.test(String(token.value));
    const value = type === 'boolean' && isBoolean ? /^true$/i.test(String(token.value)) : token.value;
    if (type === 'boolean' && (!equality || (value !== null && typeof value !== 'boolean')))
      this.#refuse(`"${name}" is true or false, so it can be compared by eq and ne with true and false only`);
    if (type !== 'boolean' && value !== null && typeof value !== 'string')
      this.#refuse(`"${name}" is a text, so it is compared with a text in double quotes`);
    if (value === null && !equality) this.#refuse('null can be compared by eq and ne only');
    if (type === 'dateTime' && value !== null && Number.isNaN(Date.parse(String(value))))
      this.#refuse(`"${name}" is a time, such as "2026-01-31T12:00:00Z"`);
    this.#at++;
    return value;
  }

  #attribute(scope: Scope): AttributePath {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') this.#refuse('the name of an attribute is expected');
    const path = scope(token.text);
    if (path === undefined) this.#refuse(`there is no attribute "${token.text.slice(0, 100)}"`);
    this.#at++;
    return path;
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token?.kind === 'sign' && token.text === sign;
    if (found) this.#at++;
    return found;
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token?.kind === 'word' && token.text.toLowerCase() === word;
    if (found) this.#at++;
    return found;
  }

  /** `back`: how many tokens before this one the fault is. */
  #refuse(detail: string, back = 0): never {
    throw fault(this.#tokens[this.#at + back]?.position ?? this.text.length, detail);
  }
}

function fault(position: number, detail: string): InputError {
  return new InputError('SCIM_FILTER_INVALID', { position: position + 1, detail });
}
