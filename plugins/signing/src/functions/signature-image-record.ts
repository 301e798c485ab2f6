/**
 * Stored data of a saved signature beside its image, with the member names of the API (`docs/interface/signing.yml`).
 */
export interface SignatureRecord {
  readonly id: string;
  readonly label: string | null;
  readonly type: string | null;
  readonly scope: SignatureScope;
  /** Address of the image; null if there is none. */
  readonly dataUrl: string | null;
  readonly signerName: string | null;
  readonly fontFamily: string | null;
  readonly fontSize: number | null;
  readonly textColor: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whose a signature is. */
export type SignatureScope = 'personal' | 'shared';

/** Facts about an image file that need no look at its record. */
export interface ImageFacts {
  readonly id: string;
  readonly fileName: string;
  readonly scope: SignatureScope;
  /** Time of the file, milliseconds since 1970. */
  readonly time: number;
}

/** Address of an image. */
export function imageAddress(fileName: string): string {
  return `/api/v1/general/signatures/${encodeURIComponent(fileName)}`;
}

/** The record of an image that was copied in without one. */
export function recordOfImage({ id, fileName, scope, time }: ImageFacts): SignatureRecord {
  return {
    id,
    label: id,
    type: 'image',
    scope,
    dataUrl: imageAddress(fileName),
    signerName: null,
    fontFamily: null,
    fontSize: null,
    textColor: null,
    createdAt: time,
    updatedAt: time,
  };
}

/**
 * Parses a record from disk, which anybody with access may have edited: members of a wrong type count as missing, and
 * owner and image address follow from the folder. Undefined if it is not a JSON object.
 */
export function readRecord(text: string, facts: ImageFacts): SignatureRecord | undefined {
  const found = parse(text);
  if (found === undefined) return undefined;
  const words = (name: string): string | null => (typeof found[name] === 'string' ? (found[name] as string) : null);
  const number = (name: string): number | undefined =>
    typeof found[name] === 'number' && Number.isSafeInteger(found[name]) ? (found[name] as number) : undefined;
  const plain = recordOfImage(facts);
  return {
    ...plain,
    label: words('label'),
    type: words('type'),
    signerName: words('signerName'),
    fontFamily: words('fontFamily'),
    fontSize: number('fontSize') ?? null,
    textColor: words('textColor'),
    createdAt: number('createdAt') ?? plain.createdAt,
    updatedAt: number('updatedAt') ?? plain.updatedAt,
  };
}

/** The text of a record with another label; undefined if it is not a JSON object. */
export function relabelled(text: string, label: string, now: number): string | undefined {
  const found = parse(text);
  return found === undefined ? undefined : JSON.stringify({ ...found, label, updatedAt: now });
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
