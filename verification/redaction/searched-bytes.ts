import { execFileSync } from 'node:child_process';

/** The content of a document according to third-party programs; undefined when they cannot read it. */
export interface SecondReading {
  /** Text of all pages. */
  readonly text: string;
  /** All objects, with streams decompressed. */
  readonly objects: Buffer;
}

const LIMITS = {
  maxBuffer: 1024 * 1024 * 1024,
  timeout: 60_000,
  stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
};

/** Reads a file with `pdftotext` and `qpdf`. */
export function secondReading(path: string): SecondReading | undefined {
  const text = output('pdftotext', ['-q', '-enc', 'UTF-8', path, '-']);
  const objects = output('qpdf', ['--qdf', '--object-streams=disable', '--stream-data=uncompress', path, '-']);
  return text === undefined || objects === undefined ? undefined : { text: text.toString('utf8'), objects };
}

/** qpdf exits with 3 when it succeeded with warnings. */
function output(program: string, args: readonly string[]): Buffer | undefined {
  try {
    return execFileSync(program, [...args], LIMITS);
  } catch (error) {
    const { stdout, status } = error as { readonly stdout?: Buffer; readonly status?: number };
    return status === 3 && stdout !== undefined && stdout.length > 0 ? stdout : undefined;
  }
}

/** Names (ISO 32000-1, 7.3.5) and comments by qpdf: neither is part of the document's text. */
const NAMES = /\/[^\s/<>[\](){}%]+|^%.*$/gm;
/** Keywords of the file format, and words that are part of operators of character maps (findresource). */
const SYNTAX: ReadonlySet<string> = new Set([
  'endobj',
  'stream',
  'endstream',
  'trailer',
  'startxref',
  'source',
  'resource',
]);

/** Returns the most frequent word of a text: only letters, and too long to be part of other words by chance. */
export function commonWord(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/(?<!\p{L}|\p{M}|\p{N})\p{L}{6,}(?!\p{L}|\p{M}|\p{N})/gu))
    if (!SYNTAX.has(word.toLowerCase())) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}

/** Lists where a word is still found: in the text, or in bytes that spell it in one of PDF's string encodings. */
export function leftOf(word: string, { text, objects }: SecondReading): string[] {
  const left: string[] = [];
  if (text.toLowerCase().normalize('NFKC').includes(word.normalize('NFKC'))) left.push('text');
  // Font programs and colour profiles contain their makers' words; the keywords come from qpdf.
  const bytes = objects
    .toString('latin1')
    .split('\nendobj')
    .filter(
      (object) => !/\/Length1 |\/Subtype \/(?:CIDFontType0C|Type1C|OpenType)\b|\/N [134]\n/.test(object.slice(0, 4000)),
    )
    .join('\n')
    .replace(NAMES, '')
    .toLowerCase();
  for (const [name, spelt] of [
    ['plain', Buffer.from(word, 'latin1')],
    ['UTF-8', Buffer.from(word, 'utf8')],
    ['UTF-16', Buffer.from(word, 'utf16le').swap16()],
  ] as const) {
    if (name === 'plain' && [...word].some((letter) => letter.charCodeAt(0) > 255)) continue;
    if (bytes.includes(spelt.toString('latin1').toLowerCase())) left.push(`${name} bytes`);
    // Case changes the hexadecimal digits, so the word is searched as it was, in upper case and capitalised.
    for (const form of [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]) {
      const hex = (
        name === 'UTF-16'
          ? Buffer.from(form, 'utf16le').swap16()
          : Buffer.from(form, name === 'plain' ? 'latin1' : 'utf8')
      ).toString('hex');
      if (bytes.includes(`<${hex}`) || bytes.includes(`${hex}>`)) left.push(`${name} digits`);
    }
  }
  return [...new Set(left)];
}
