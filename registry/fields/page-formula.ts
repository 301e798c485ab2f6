/**
 * Evaluates a page formula such as `2n+1` or `n(n-1)` for one n. Multiplication may be implicit.
 * Gives undefined when the text is no formula. Grammar: sum of products of signed factors; no other names than n.
 */
export function evaluateFormula(formula: string, n: number): number | undefined {
  const text = formula.replace(/ /g, '');
  let at = 0;
  let depth = 0;

  function factor(): number | undefined {
    const c = text[at];
    if (c === '-' || c === '+') {
      at++;
      const value = factor();
      return value === undefined ? undefined : c === '-' ? -value : value;
    }
    if (c === 'n') {
      at++;
      return n;
    }
    if (c === '(') {
      // Nesting is bounded so that a long row of brackets cannot exhaust the stack.
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
    return Number(digits[0]);
  }

  function product(): number | undefined {
    let value = factor();
    while (value !== undefined && at < text.length) {
      const c = text[at];
      if (c === '*' || c === '/') at++;
      else if (c !== 'n' && c !== '(' && !(c !== undefined && c >= '0' && c <= '9')) break;
      const next = factor();
      if (next === undefined) return undefined;
      value = c === '/' ? value / next : value * next;
    }
    return value;
  }

  function sum(): number | undefined {
    let value = product();
    while (value !== undefined && (text[at] === '+' || text[at] === '-')) {
      const minus = text[at++] === '-';
      const next = product();
      if (next === undefined) return undefined;
      value = minus ? value - next : value + next;
    }
    return value;
  }

  const value = sum();
  return at === text.length ? value : undefined;
}
