import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from './complete-document.js';
import { preparedFolder } from './prepared-folder.js';

/** Documents of earlier settings or versions that stay on disk. */
const KEPT_DOCUMENTS = 4;
/** A document takes seconds, also on a slow disk. */
const MAKE_TIMEOUT_MS = 120_000;

/** What the child process needs to assemble a server with the same routes. */
export interface MakeRequest {
  /** Nested settings that routes depend on. */
  readonly settings: object;
  readonly resolveFrom: readonly string[];
  /** Routes of the asking server; the child fails if its own differ. */
  readonly routes: readonly string[];
}

/**
 * Reads the document with this key: the one made by the build, or an earlier one in `folder`, or one that a child
 * process makes now. Throws if the child fails.
 */
export async function storedDocument(key: string, folder: string, request: MakeRequest): Promise<OpenApiDocument> {
  for (const place of [preparedFolder, folder]) {
    const text = await readFile(join(place, `${key}.json`), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as OpenApiDocument;
  }
  const text = await makeInChild(request);
  await keep(folder, `${key}.json`, text);
  return JSON.parse(text) as OpenApiDocument;
}

function makeInChild(request: MakeRequest): Promise<string> {
  // In `dist`, beside this folder.
  const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'app', 'make-document-cli.js');
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [program],
      { maxBuffer: 64 * 1024 * 1024, timeout: MAKE_TIMEOUT_MS },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
    // Options of plugins may be secret, so they are neither arguments nor files.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(request));
  });
}

/** Stores a document; a server can answer without it, for example on a read-only disk. */
async function keep(folder: string, name: string, text: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const others = (await readdir(folder)).filter((other) => other !== name);
    for (const other of others.slice(KEPT_DOCUMENTS - 1)) await rm(join(folder, other), { force: true });
    await writeFile(join(folder, `${name}.${process.pid}`), text);
    await rename(join(folder, `${name}.${process.pid}`), join(folder, name));
  } catch {
    // Made again after the next start.
  }
}
