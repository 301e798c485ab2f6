/** One replacement: every exact match of `find`. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
}

const MAX_EDITS = 5000;
const MAX_LENGTH = 20_000;

/**
 * Parses the field `edits` (`docs/interface/general.yml`, edit-text): a JSON list of {find, replace}, or one such
 * object; an absent or null `replace` deletes; unknown members are ignored. Returns an error text if the field is
 * invalid, with the code that existing clients know.
 */
export function parseEdits(text: string): TextEdit[] | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'must be JSON: a list of {"find", "replace"}';
  }
  const list: unknown[] = Array.isArray(data) ? data : [data];
  if (list.length === 0 || data === null) return 'has no edit (error.editText.no.edits)';
  if (list.length > MAX_EDITS) return `there may be at most ${MAX_EDITS} edits`;
  const edits: TextEdit[] = [];
  for (const [i, one] of list.entries()) {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      return `/${i} must be an object with "find" and "replace"`;
    const { find = '', replace = '' } = one as { readonly find?: unknown; readonly replace?: unknown };
    if (!isPlain(find)) return `/${i}/find must be text`;
    if (!isPlain(replace)) return `/${i}/replace must be text`;
    const edit = { find: textOf(find), replace: textOf(replace) };
    if (edit.find === '') return `/${i}/find is empty (error.editText.empty.find)`;
    if (edit.find.length > MAX_LENGTH || edit.replace.length > MAX_LENGTH)
      return `/${i} is longer than ${MAX_LENGTH} characters`;
    edits.push(edit);
  }
  return edits;
}

/** Scalars count as the text they are written as. */
function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function textOf(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}
