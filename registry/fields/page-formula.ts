/** The value of a formula, or of a part of one, for a page number. */
export type PageFormula = (n: number) => number;

/** Evaluates a page formula for one n; undefined when the text is not a formula. See `compileFormula`. */
export function evaluateFormula(formula: string, n: number): number | undefined {
  return compileFormula(formula)?.(n);
}

/**
 * Parses a page formula such as `2n+1` or `n(n-1)`; undefined when the text is not one. Multiplication may be implicit.
 * Grammar: sum of products of signed factors; the only variable is n. Parsed once, it is evaluated for every page of a
 * document.
 */
export function compileFormula(formula: string): PageFormula | undefined {
  const text = formula.replace(/ /g, '');
  let at = 0;
  let depth = 0;

  function factor(): PageFormula | undefined {
    let negative = false;
    for (; text[at] === '-' || text[at] === '+'; at++) if (text[at] === '-') negative = !negative;
    const value = bare();
    return value !== undefined && negative ? (n) => -value(n) : value;
  }

  function bare(): PageFormula | undefined {
    const c = text[at];
    if (c === 'n') {
      at++;
      return (n) => n;
    }
    if (c === '(') {
      // Nesting is limited so that many brackets cannot exhaust the stack.
      if (++depth > 50) return undefined;
      at++;
      const value = sum();
      if (value === undefined || text[at] !== ')') return undefined;
      at++;
      depth--;
      return value;
    }
    const digits = /^\d{1,15}/.exec(text.slice(at, at + 15));
    if (digits === null) return undefined;
    at += digits[0].length;
    const value = Number(digits[0]);
    return () => value;
  }

  function product(): PageFormula | undefined {
    const first = factor();
    if (first === undefined) return undefined;
    const more: { readonly divides: boolean; readonly value: PageFormula }[] = [];
    while (at < text.length) {
      const c = text[at];
      if (c === '*' || c === '/') at++;
      else if (c !== 'n' && c !== '(' && !(c !== undefined && c >= '0' && c <= '9')) break;
      const value = factor();
      if (value === undefined) return undefined;
      more.push({ divides: c === '/', value });
    }
    return more.length === 0
      ? first
      : (n) => more.reduce((result, { divides, value }) => (divides ? result / value(n) : result * value(n)), first(n));
  }

  function sum(): PageFormula | undefined {
    const first = product();
    if (first === undefined) return undefined;
    const more: { readonly minus: boolean; readonly value: PageFormula }[] = [];
    while (text[at] === '+' || text[at] === '-') {
      const minus = text[at++] === '-';
      const value = product();
      if (value === undefined) return undefined;
      more.push({ minus, value });
    }
    return more.length === 0
      ? first
      : (n) => more.reduce((result, { minus, value }) => (minus ? result - value(n) : result + value(n)), first(n));
  }

  const value = sum();
  return at === text.length ? value : undefined;
}
