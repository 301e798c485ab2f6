/** The preferences of a Prefer header that this server knows (RFC 7240). */
export interface Preferences {
  /** `respond-async`: start a job and return its address. */
  readonly respondAsync: boolean;
  /** `handling=strict`: reject unknown fields. */
  readonly strict: boolean;
  /** `wait=n`: how many seconds the caller waits for the answer; undefined without it. */
  readonly wait?: number;
}

/** preference = token [ BWS "=" BWS word ]; parameters are ignored here (RFC 7240, 2). */
const PREFERENCE =
  /^([!#$%&'*+\-.^_`|~\w]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~\w]*)))?[ \t]*(?:;|$)/;
/** Longest header that is parsed; a longer one is cut. */
const LONGEST = 4096;

/**
 * Parses a Prefer header; repeated headers arrive joined by commas. The first of repeated preferences counts; unknown
 * ones are ignored (RFC 7240, 2).
 */
export function preferences(header: string | undefined): Preferences {
  const found = new Map<string, string>();
  const text = (header ?? '').slice(0, LONGEST);
  // Parse each element separately: a malformed one must not hide the following ones.
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

/** Splits a list header (RFC 9110, 5.6.1) at commas outside quotes. */
function elements(text: string): string[] {
  return (text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [])
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
