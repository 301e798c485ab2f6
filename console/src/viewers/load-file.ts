import { asProblem, openFile } from '../api/index.ts';

/** Bytes of a file that are loaded without a question: seconds on a usual line, and little of a tab's memory. */
const MOST_BYTES_UNASKED = 50_000_000;

/** A file on the server that is shown. */
export type FileLoad =
  | { readonly state: 'loading'; readonly share: number | undefined; readonly bytes: number | undefined }
  /** It is large, so that somebody has to want it. */
  | { readonly state: 'asking'; readonly bytes: number }
  | { readonly state: 'loaded'; readonly blob: Blob };

/**
 * Loads the file of an address and reports how far it is. A large one is only asked for, and nothing of its content is
 * read, unless `wanted`. Rejects with a Problem.
 */
export async function loadFile(
  address: string,
  wanted: boolean,
  stop: AbortController,
  report: (load: FileLoad) => void,
): Promise<void> {
  const answer = await openFile(address, stop.signal);
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  const bytes = Number.isFinite(length) ? length : undefined;
  if (!wanted && bytes !== undefined && bytes > MOST_BYTES_UNASKED && !address.startsWith('blob:')) {
    report({ state: 'asking', bytes });
    stop.abort();
    return;
  }
  report({ state: 'loading', share: undefined, bytes });
  const blob = await readBody(answer, (read) =>
    report({ state: 'loading', share: bytes === undefined ? undefined : Math.min(1, read / bytes), bytes }),
  );
  report({ state: 'loaded', blob });
}

/** Reads an answer piece by piece. */
async function readBody(answer: Response, read: (bytes: number) => void): Promise<Blob> {
  const type = answer.headers.get('content-type') ?? '';
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let told = 0;
  try {
    for (const reader = answer.body?.getReader(); reader !== undefined;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      bytes += value.length;
      const now = performance.now();
      if (now - told < REPORT_MS) continue;
      told = now;
      read(bytes);
    }
  } catch (error) {
    throw asProblem(error);
  }
  return new Blob(pieces, { type });
}

/** Between two reports. */
const REPORT_MS = 100;
