import type { Request } from '@hapi/hapi';
import type { EndpointAnswer } from '@quire/registry';
import type { CapturedFile, Captures } from '../../audit/index.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** Data about the call's files and answer for the audit log, as configured. */
    captured?: Captured;
  }
}

interface Captured {
  files?: readonly CapturedFile[];
  result?: string;
}

/** Maximum number of files recorded per call. */
const MOST_FILES = 100;
/** Longest recorded result in characters. */
const LONGEST_RESULT = 4000;

/**
 * Returns the map that receives digests of files while they stream in, undefined if nothing needs them: no file is read
 * twice.
 */
export function digestsFor(
  captures: Captures | undefined,
  digests: Map<string, string> | undefined,
): Map<string, string> | undefined {
  return digests ?? (captures?.fileHash === true ? new Map() : undefined);
}

/** Records the uploads of a call. */
export function captureFiles(
  request: Request,
  captures: Captures | undefined,
  files: Readonly<Record<string, readonly { readonly path: string; readonly size: number }[]>>,
  digests: ReadonlyMap<string, string> | undefined,
): void {
  if (captures?.fileHash !== true || digests === undefined) return;
  const noted = Object.values(files)
    .flat()
    .flatMap(({ path, size }) => {
      const sha256 = digests.get(path);
      return sha256 === undefined ? [] : [{ sha256, size }];
    });
  if (noted.length > 0) (request.app.captured ??= {}).files = noted.slice(0, MOST_FILES);
}

/** Records the answer of a call. */
export function captureAnswer(
  request: Request,
  captures: Captures | undefined,
  { json, text, file }: EndpointAnswer,
): void {
  if (captures?.results !== true) return;
  const size = file?.size ?? file?.bytes?.length;
  const result =
    json !== undefined
      ? JSON.stringify(json)
      : (text ?? (file === undefined ? undefined : `${file.mediaType}${size === undefined ? '' : `, ${size} bytes`}`));
  if (result !== undefined)
    (request.app.captured ??= {}).result =
      result.length > LONGEST_RESULT ? `${result.slice(0, LONGEST_RESULT)}…` : result;
}
