/** A condition on parameters, as data: always, or every listed field has (one of) the given value(s). */
export type When =
  | 'always'
  | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>;

/** Returns whether the condition holds for these parameters. */
export function holds(when: When | undefined, params: Readonly<Record<string, unknown>>): boolean {
  if (when === undefined) return false;
  if (when === 'always') return true;
  return Object.entries(when).every(([field, wanted]) =>
    Array.isArray(wanted) ? wanted.includes(params[field]) : params[field] === wanted,
  );
}
