import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import { useLoaded, type Loaded } from '../../components/index.ts';
import type { Detected, Extracted, Verdict } from './answers.ts';
import { available, DETECT, EXTRACT, run, VALIDATE, type InvoiceFile } from './operations.ts';

/** What the server says about a file. Each part comes by itself, and can fail by itself. */
export interface Reading {
  readonly of: InvoiceFile;
  readonly isPdf: boolean;
  readonly verdict: Loaded<Verdict>;
  readonly data: Loaded<Extracted>;
  /** The XML as text: of the file itself, or taken out of the PDF. */
  readonly xml: Loaded<string>;
  /** Undefined data where the server does not have the operation. */
  readonly detected: Loaded<Detected | undefined>;
}

export function useReading(file: File): Reading {
  const isPdf = /\.pdf$/i.test(file.name) || file.type === 'application/pdf';
  const password = usePassword(isPdf ? file : undefined);
  const of: InvoiceFile = { file, password };
  const keys = [file, password];
  const json = async <T>(path: string, signal: AbortSignal): Promise<T> =>
    JSON.parse(await (await run(path, of, 'json', signal)).blob.text()) as T;
  return {
    of,
    isPdf,
    verdict: useLoaded((signal) => json<Verdict>(VALIDATE, signal), keys),
    data: useLoaded((signal) => json<Extracted>(EXTRACT, signal), keys),
    xml: useLoaded(async (signal) => textOf(isPdf ? (await run(EXTRACT, of, 'xml', signal)).blob : file), keys),
    detected: useLoaded(
      async (signal) => (available(DETECT) === undefined ? undefined : json<Detected>(DETECT, signal)),
      keys,
    ),
  };
}

/** The password that was entered to look at a PDF. */
function usePassword(file: File | undefined): string | undefined {
  const [password, setPassword] = useState<string | undefined>();
  useEffect(() => {
    setPassword(undefined);
    if (file === undefined) return undefined;
    let left = false;
    let stop: (() => void) | undefined;
    const follow = async (): Promise<void> => {
      const { followPassword } = await loadModule(() => import('../../viewer/index.ts'));
      if (!left) stop = followPassword(file, setPassword);
    };
    // Without the viewer nobody enters a password.
    follow().catch(() => undefined);
    return () => {
      left = true;
      stop?.();
    };
  }, [file]);
  return password;
}

/** The text of an XML file, in the encoding that its declaration or byte order mark names. */
async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : undefined;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\uFEFF?(?:ï»¿)?<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(head)?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8').decode(bytes);
  } catch {
    // An encoding that browsers do not know.
    return new TextDecoder('latin1').decode(bytes);
  }
}
