import type { Operator, Token } from './expression-tokens.js';
import { HUNDRED, minus, over, plus, type Rational, times, ZERO } from './rational.js';

/**
 * Returns the value of an expression; undefined for invalid tokens or a division by 0. With `ofTheRest`, an added
 * percentage refers to the value before it: `100 + 19% = 119`.
 */
export function evaluate(run: readonly Token[], ofTheRest = false): Rational | undefined {
  return new Parser(run, ofTheRest).value();
}

/** Sums of products with brackets. */
class Parser {
  #at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly ofTheRest: boolean,
  ) {}

  /** Returns the value of all tokens; undefined if they are not an expression. */
  value(): Rational | undefined {
    const value = this.#sum(0);
    return this.#at === this.tokens.length ? value?.value : undefined;
  }

  #sum(depth: number): Operand | undefined {
    let left = this.#product(depth);
    for (
      let operator = this.#operator('+', '-');
      left !== undefined && operator !== undefined;
      operator = this.#operator('+', '-')
    ) {
      const right = this.#product(depth);
      if (right === undefined) return undefined;
      const amount = this.ofTheRest && right.percent && !left.percent ? times(left.value, right.value) : right.value;
      left = { value: operator === '+' ? plus(left.value, amount) : minus(left.value, amount), percent: left.percent };
    }
    return left;
  }

  #product(depth: number): Operand | undefined {
    let left = this.#factor(depth);
    for (
      let operator = this.#operator('*', '/');
      left !== undefined && operator !== undefined;
      operator = this.#operator('*', '/')
    ) {
      const right = this.#factor(depth);
      const value =
        right === undefined
          ? undefined
          : operator === '*'
            ? times(left.value, right.value)
            : over(left.value, right.value);
      left = value === undefined ? undefined : { value, percent: false };
    }
    return left;
  }

  #factor(depth: number): Operand | undefined {
    const token = this.tokens[this.#at++];
    if (token === undefined || depth > 20) return undefined;
    if (token.kind === 'number')
      return {
        value: token.number.percent ? (over(token.number.value, HUNDRED) ?? token.number.value) : token.number.value,
        percent: token.number.percent,
      };
    if (token.kind === 'operator' && (token.operator === '-' || token.operator === '+')) {
      const inner = this.#factor(depth + 1);
      return inner === undefined
        ? undefined
        : { value: token.operator === '-' ? minus(ZERO, inner.value) : inner.value, percent: inner.percent };
    }
    if (token.kind !== 'open') return undefined;
    const inner = this.#sum(depth + 1);
    return this.tokens[this.#at++]?.kind === 'close' ? inner : undefined;
  }

  #operator(...wanted: readonly Operator[]): Operator | undefined {
    const token = this.tokens[this.#at];
    if (token?.kind !== 'operator' || !wanted.includes(token.operator)) return undefined;
    this.#at++;
    return token.operator;
  }
}

interface Operand {
  readonly value: Rational;
  readonly percent: boolean;
}
