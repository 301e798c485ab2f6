import { apiAddress, type Query } from './address.ts';
import { withLogin } from './call.ts';
import { freshenSession } from './login.ts';
import { networkProblem, problemOf } from './problem.ts';
import { authHeaders } from './session.ts';

export interface Uploaded {
  readonly status: number;
  readonly blob: Blob;
  header(name: string): string | null;
}

export interface UploadOptions {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that were sent, of how many; and true once the server has all and works. */
  readonly progress?: (sent: number, total: number) => void;
}

/** Sends a form by POST, with progress. The form is created again for every attempt. Rejects with a `Problem`. */
export async function upload(path: string, form: () => FormData, options: UploadOptions = {}): Promise<Uploaded> {
  await freshenSession();
  return withLogin('ask', () => send(apiAddress(path, options.query), form(), options));
}

let sending = 0;

/** Whoever leaves the page while files are sent is asked by the browser: what was sent would be lost. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Counts a request until all of its body is sent, or it has failed. */
function watchSending(request: XMLHttpRequest): void {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    if (--sending === 0) removeEventListener('beforeunload', askBeforeLeaving);
  };
  if (++sending === 1) addEventListener('beforeunload', askBeforeLeaving);
  request.upload.addEventListener('load', end);
  request.addEventListener('loadend', end);
}

/** By XMLHttpRequest, because fetch reports no progress of uploads. */
function send(address: string, form: FormData, { headers, signal, progress }: UploadOptions): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open('POST', address);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries({ ...authHeaders(), ...headers })) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress?.(loaded, total);
    request.onabort = () => reject(networkProblem(new DOMException('', 'AbortError')));
    request.onerror = () => reject(networkProblem());
    request.onload = () => {
      const header = (name: string): string | null => request.getResponseHeader(name);
      const blob = request.response as Blob;
      if (request.status < 400) resolve({ status: request.status, blob, header });
      else void blob.text().then((text) => reject(problemOf(request.status, text, header)));
    };
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    else {
      watchSending(request);
      request.send(form);
    }
  });
}
