/** One replacement: every occurrence of `find`, to the letter. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
}

const MAX_EDITS = 5000;
const MAX_LENGTH = 20_000;

/**
 * Reads the field `edits` (`docs/interface/general.yml`, edit-text): a JSON list of {find, replace}, or one such
 * object; `replace` may be absent or null and then deletes; unknown members are ignored. Gives what is wrong as text
 * when it is none, with the code that existing clients know.
 */
export function parseEdits(text: string): TextEdit[] | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'must be JSON: a list of {"find", "replace"}';
  }
  const list: unknown[] = Array.isArray(data) ? data : [data];
  if (list.length === 0 || data === null) return 'holds no edit (error.editText.no.edits)';
  if (list.length > MAX_EDITS) return `at most ${MAX_EDITS} edits are taken`;
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

/** Scalars are taken as the text they are written as. */
function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function textOf(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}
