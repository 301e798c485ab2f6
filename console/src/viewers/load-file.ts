import { asProblem, openFile } from '../api/index.ts';

/** Bytes of a file that are loaded without a question: seconds on a usual line, and little of a tab's memory. */
const MOST_BYTES_UNASKED = 50_000_000;

/** A file that is loaded by a call of its own. */
export interface FileSource {
  /** Its size, which decides whether it is asked for; undefined: it is wanted whatever its size. */
  readonly bytes: number | undefined;
  open(signal: AbortSignal): Promise<Response>;
}

/** A file on the server that is shown. */
export type FileLoad =
  | { readonly state: 'loading'; readonly share: number | undefined; readonly bytes: number | undefined }
  /** It is large, so that somebody has to want it. */
  | { readonly state: 'asking'; readonly bytes: number }
  | { readonly state: 'loaded'; readonly blob: Blob };

/**
 * Loads a file, often by its address, and reports how far it is. A large one is only asked for, and nothing of its
 * content is read, unless `wanted`. Rejects with a Problem.
 */
export async function loadFile(
  source: string | FileSource,
  wanted: boolean,
  stop: AbortController,
  report: (load: FileLoad) => void,
): Promise<void> {
  const asks = (bytes: number | undefined): boolean => !wanted && bytes !== undefined && bytes > MOST_BYTES_UNASKED;
  const isObject = typeof source !== 'string';
  if (isObject && asks(source.bytes)) return report({ state: 'asking', bytes: source.bytes ?? 0 });
  const answer = await (isObject ? source.open(stop.signal) : openFile(source, stop.signal));
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  const bytes = Number.isFinite(length) ? length : undefined;
  if (!isObject && asks(bytes) && !source.startsWith('blob:')) {
    report({ state: 'asking', bytes: bytes ?? 0 });
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
