/** What a Prefer header asks for, as far as this server knows it (RFC 7240). */
export interface Preferences {
  /** `respond-async`: start a job, and answer where it is. */
  readonly respondAsync: boolean;
  /** `handling=strict`: unknown fields are faults. */
  readonly strict: boolean;
  /** `wait=n` in seconds: how long the caller waits for the answer; undefined when it says nothing of it. */
  readonly wait?: number;
}

/** preference = token [ BWS "=" BWS word ], with parameters that mean nothing here (RFC 7240, 2). */
const PREFERENCE =
  /^([!#$%&'*+\-.^_`|~\w]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~\w]*)))?[ \t]*(?:;|$)/;
/** A longer header says nothing that is worth reading. */
const LONGEST = 4096;

/**
 * Reads a Prefer header; repeated ones arrive joined by commas. Of a preference that is named twice the first counts;
 * what is not understood is ignored (RFC 7240, 2).
 */
export function preferences(header: string | undefined): Preferences {
  const found = new Map<string, string>();
  const text = (header ?? '').slice(0, LONGEST);
  // Each list element by itself: a broken one must not hide those after it.
  for (const element of elements(text)) {
    const [, name = '', quoted, plain] = PREFERENCE.exec(element) ?? [];
    const key = name.toLowerCase();
    if (key !== '' && !found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  const wait = found.get('wait') ?? '';
  return {
    respondAsync: found.has('respond-async'),
    strict: found.get('handling')?.toLowerCase() === 'strict',
    ...(/^\d{1,9}$/.test(wait) ? { wait: Number(wait) } : {}),
  };
}

/** The elements of a list header (RFC 9110, 5.6.1), without the commas within quotes. */
function elements(text: string): string[] {
  return (text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [])
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
