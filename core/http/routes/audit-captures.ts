import type { Request } from '@hapi/hapi';
import type { EndpointAnswer } from '@quire/registry';
import type { CapturedFile, Captures } from '../../audit/index.js';
import type { WireFile } from '../../operations/workers/index.js';

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
/** Longest recorded author in characters. */
const LONGEST_AUTHOR = 200;

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

/** What is known of uploads, or can be read of them. */
interface UploadFacts {
  readonly digests: ReadonlyMap<string, string> | undefined;
  authorsOf(files: readonly WireFile[]): Promise<readonly (string | null)[]>;
}

/** Records the uploads of a call. */
export async function captureFiles(
  request: Request,
  captures: Captures | undefined,
  files: Readonly<Record<string, readonly WireFile[]>>,
  { digests, authorsOf }: UploadFacts,
): Promise<void> {
  if (captures === undefined || !(captures.fileHash || captures.pdfAuthor)) return;
  const sent = Object.values(files).flat().slice(0, MOST_FILES);
  const authors = captures.pdfAuthor && sent.some(({ kind }) => kind === 'pdf') ? await authorsOf(sent) : [];
  const noted = sent.flatMap(({ path, size }, i): CapturedFile[] => {
    const sha256 = captures.fileHash ? digests?.get(path) : undefined;
    const author = authors[i] ?? undefined;
    if (sha256 === undefined && author === undefined) return [];
    return [
      {
        ...(sha256 === undefined ? {} : { sha256 }),
        size,
        ...(author === undefined ? {} : { author: shortened(author, LONGEST_AUTHOR) }),
      },
    ];
  });
  if (noted.length > 0) (request.app.captured ??= {}).files = noted;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
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
  if (result !== undefined) (request.app.captured ??= {}).result = shortened(result, LONGEST_RESULT);
}
