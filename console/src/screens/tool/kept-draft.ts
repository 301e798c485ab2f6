import type { ShownOperation } from '@quire/registry';
import type { FormValue, FormValues } from '../../form/values.ts';

/** What is kept of a draft while its page is loaded again, or opened again with the browser's last session. */
export interface KeptDraft {
  /** Values that differ from those of an empty form, without secrets. */
  readonly values: FormValues;
  /** Names of the chosen files by file part: a page may not keep the files themselves. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** For this tab alone; logging out clears it. */
const STORED = 'quire.draft.';

/** Passwords and signatures by hand are never written to the browser's storage. */
const NEVER_KEPT: ReadonlySet<string> = new Set(['secret', 'signature']);

/** Stores a draft; nothing is stored of an empty one. */
export function keepDraft({ path, fields }: ShownOperation, draft: KeptDraft, empty: FormValues): void {
  const values = Object.fromEntries(
    fields.flatMap(({ name, widget }) => {
      const value = draft.values[name];
      const isKept = value !== undefined && !NEVER_KEPT.has(widget) && !isSame(value, empty[name]);
      return isKept ? [[name, value]] : [];
    }),
  );
  const files = Object.fromEntries(Object.entries(draft.files).filter(([, names]) => names.length > 0));
  if (Object.keys(values).length === 0 && Object.keys(files).length === 0) return forgetDraft(path);
  try {
    sessionStorage.setItem(`${STORED}${path}`, JSON.stringify({ values, files }));
  } catch {
    // The storage is full or switched off: the form works without it.
    forgetDraft(path);
  }
}

export function forgetDraft(path: string): void {
  try {
    sessionStorage.removeItem(`${STORED}${path}`);
  } catch {
    // Switched off.
  }
}

/** Reads a draft; values that do not fit the fields any more are left out. */
export function keptDraft({ path, fields, parts }: ShownOperation, empty: FormValues): KeptDraft {
  const stored = read(path);
  const values = fields.flatMap(({ name, widget }) => {
    const value = stored.values?.[name];
    return value === undefined || NEVER_KEPT.has(widget) || !isSameKind(value, empty[name]) ? [] : [[name, value]];
  });
  const files = parts.flatMap(({ field }) => {
    const names = stored.files?.[field];
    return Array.isArray(names) ? [[field, names.map(String)]] : [];
  });
  return {
    values: Object.fromEntries(values) as FormValues,
    files: Object.fromEntries(files) as KeptDraft['files'],
  };
}

function read(path: string): Partial<KeptDraft> {
  try {
    return (JSON.parse(sessionStorage.getItem(`${STORED}${path}`) ?? '{}') as Partial<KeptDraft> | null) ?? {};
  } catch {
    return {};
  }
}

function isSame(a: FormValue, b: FormValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isSameKind(a: FormValue, b: FormValue | undefined): boolean {
  return typeof a === typeof b && Array.isArray(a) === Array.isArray(b);
}
