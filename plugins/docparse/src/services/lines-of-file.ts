import { createReadStream } from 'node:fs';

/**
 * Yields the lines of a file that end with a line feed, as in JSON Lines. Node's readline also splits at U+2028 and
 * U+2029, which JSON allows in strings.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
