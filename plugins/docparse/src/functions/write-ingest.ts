import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Chunk } from './chunk-text.js';

/** Digest of a file's bytes (SHA-256, hex): the id of a document that was given none. */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/**
 * Writes chunks as JSON, one a line ended by a line feed: `{documentId, index, text, pageStart, pageEnd, headingPath}`
 * (`docs/interface/docparse.yml`, ingest). Gives how many there were.
 */
export async function writeChunks(chunks: Iterable<Chunk>, documentId: string, target: string): Promise<number> {
  const file = await open(target, 'wx', 0o600);
  let count = 0;
  try {
    let lines: string[] = [];
    const flush = async (): Promise<void> => {
      if (lines.length > 0) await file.write(lines.join(''));
      lines = [];
    };
    for (const { index, text, pageStart, pageEnd, headingPath } of chunks) {
      lines.push(`${JSON.stringify({ documentId, index, text, pageStart, pageEnd, headingPath })}\n`);
      count++;
      if (lines.length >= 200) await flush();
    }
    await flush();
  } finally {
    await file.close();
  }
  return count;
}
