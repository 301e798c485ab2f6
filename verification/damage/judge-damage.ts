import { damageCalls, type DamageCall } from './damage-calls.js';
import type { DamagedFile, SoundFile } from './damaged-files.js';
import { missingWords, plainlyChanged, qpdfError, readers, readResult, type Reading } from './read-result.js';
import { send } from './send-file.js';

/**
 * `refused`: 4xx. `announced`: 200 with X-Warnings. `complete`: pages and words of the original. `plain`: the damage
 * changed text in a file in which qpdf finds nothing wrong, and the result has the changed text. `silent`: pages or
 * words are missing and nothing says so. `unsound`: `qpdf --check` reports an error in a file that is not the one that
 * was sent. `failed`: any other status.
 */
export type Verdict = 'refused' | 'announced' | 'complete' | 'plain' | 'silent' | 'unsound' | 'failed';

export const faults: ReadonlySet<Verdict> = new Set(['silent', 'unsound', 'failed']);

/** A call with a damaged file. */
export interface DamageRow {
  readonly file: string;
  readonly operation: string;
  readonly verdict: Verdict;
  /** Reason of a fault, or what the answer says. */
  readonly note: string;
}

/** Sends damaged copies of files to operations, and compares the answers with those for the sound files. */
export class DamageJudge {
  readonly #references = new Map<string, Promise<Reading | undefined>>();

  constructor(private readonly url: string) {}

  /**
   * The reading of the operation's result for the sound file, for comparison: an operation may change text of its own
   * accord. Undefined when it refuses the file, or announces damage.
   */
  reference(file: SoundFile, call: DamageCall): Promise<Reading | undefined> {
    const key = `${call.path} ${file.name}`;
    const known = this.#references.get(key) ?? this.#read(file, call);
    this.#references.set(key, known);
    return known;
  }

  /** Returns undefined where the operation does not process the sound file either. */
  async judge(file: DamagedFile, call: DamageCall): Promise<DamageRow | undefined> {
    const wanted = await this.reference(file.original, call);
    if (wanted === undefined) return undefined;
    const { status, warnings, body } = await send(this.url, call, file.bytes);
    const row = (verdict: Verdict, note: string): DamageRow => ({
      file: file.name,
      operation: call.path,
      verdict,
      note: note.slice(0, 500),
    });
    if (status >= 400 && status < 500) return row('refused', reasonOf(body));
    if (status !== 200) return row('failed', `${status} ${body.toString('utf8')}`);
    const error = call.result === 'text' ? undefined : await qpdfError(body);
    // Compression returns the input where nothing smaller is possible, and says that it is still damaged.
    const returned = warnings !== '' && body.equals(file.bytes);
    if (error !== undefined && !returned) return row('unsound', `${error} [${warnings}]`);
    if (warnings !== '') return row('announced', warnings);
    const found = await readResult(body, call.result);
    const difference = found === undefined ? 'pdftotext cannot read the result' : differs(wanted, found);
    if (difference === undefined || (await isOneReadersFault(body, call, wanted, found))) return row('complete', '');
    return (await isPlain(file, call, found)) ? row('plain', difference) : row('silent', difference);
  }

  async #read(file: SoundFile, call: DamageCall): Promise<Reading | undefined> {
    const { status, warnings, body } = await send(this.url, call, file.bytes);
    return status === 200 && warnings === '' ? readResult(body, call.result) : undefined;
  }
}

/** Ten operations for each file, or `count` of them, others for each file. */
export function callsFor(index: number, count = damageCalls.length): readonly DamageCall[] {
  return Array.from({ length: count }, (_none, i) => damageCalls[(index + i) % damageCalls.length]!);
}

function differs(wanted: Reading, found: Reading): string | undefined {
  if (found.pages !== wanted.pages) return `${found.pages} pages instead of ${wanted.pages}`;
  const missing = missingWords(wanted, found);
  return missing.length === 0 ? undefined : `${missing.length} words missing: ${missing.slice(0, 5).join(' ')}`;
}

/**
 * True when another reader finds all words: poppler leaves out text that follows an operator it does not know, where
 * others go on.
 */
async function isOneReadersFault(
  result: Uint8Array,
  call: DamageCall,
  wanted: Reading,
  found: Reading | undefined,
): Promise<boolean> {
  if (call.result === 'text' || found?.pages !== wanted.pages) return false;
  const second = await readResult(result, call.result, readers.ghostscript);
  return second !== undefined && missingWords(wanted, second).length === 0;
}

/**
 * True when the damaged file is a sound file with other text, all of which the result has. A text is written by another
 * reader than the one that judges, and the two may decode changed fonts differently.
 */
async function isPlain({ bytes }: DamagedFile, call: DamageCall, found: Reading | undefined): Promise<boolean> {
  const changed = found === undefined ? undefined : await plainlyChanged(bytes);
  if (call.result === 'text') return changed !== undefined;
  const upload = changed === undefined ? undefined : await readResult(changed, 'pdf');
  if (found === undefined || upload === undefined) return false;
  if (found.pages !== upload.pages * call.copies) return false;
  return missingWords(upload, found, call.copies).length === 0;
}

function reasonOf(body: Buffer): string {
  try {
    const { code = '', detail = '' } = JSON.parse(body.toString('utf8')) as { code?: string; detail?: string };
    return `${code}: ${detail}`;
  } catch {
    return '';
  }
}
