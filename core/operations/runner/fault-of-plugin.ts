import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isQuireError } from '@quire/registry';

/** Packages whose errors without a code are about the document that they read. */
const READERS: readonly string[] = ['/@quire/document/', '/pdf-lib/'];

/**
 * Returns the error in the code of a plugin because of which `guardDocument` has refused a document as damaged;
 * undefined where the code that reads documents has met the error, or the plugin itself says that the document is
 * damaged. The first frame of a stack that is the plugin's or a reader's decides (ADR 0155).
 */
export function faultOfPlugin(error: unknown, entryUrl: string): Error | undefined {
  let refusal = error;
  while (isRefusal(refusal) && isRefusal(refusal.cause)) refusal = refusal.cause;
  if (!isRefusal(refusal)) return undefined;
  const { cause } = refusal;
  // Endless recursion and lengths that cannot be come from documents, wherever they end.
  if (!(cause instanceof Error) || cause instanceof RangeError || isQuireError(cause)) return undefined;
  return originOf(refusal, entryUrl) === 'reader' && originOf(cause, entryUrl) === 'plugin' ? cause : undefined;
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && isQuireError(error) && error.code === 'PDF_DAMAGED';
}

function originOf({ stack = '' }: Error, entryUrl: string): 'plugin' | 'reader' | undefined {
  const plugin = folderOf(entryUrl);
  const library = folderOf(import.meta.resolve('@quire/document'));
  for (const line of stack.split('\n')) {
    const file = fileOf(line);
    if (file === undefined) continue;
    if (file.startsWith(library) || READERS.some((name) => file.includes(name))) return 'reader';
    // Libraries of a plugin act for it: the frame that called them decides.
    if (file.startsWith(plugin) && !file.slice(plugin.length).includes(`node_modules${sep}`)) return 'plugin';
  }
  return undefined;
}

/** The file of a frame, which CommonJS modules name by its path and others by its address. */
function fileOf(line: string): string | undefined {
  const [, place = ''] = /^ {4}at (?:.*\()?(.*?):\d+:\d+\)?$/.exec(line) ?? [];
  const address = place.replace(/^async /, '');
  if (address.startsWith('/')) return address;
  return address.startsWith('file://') ? fileURLToPath(address) : undefined;
}

/** The folder of the package that a module belongs to, with a separator at the end. */
function folderOf(url: string): string {
  const own = dirname(fileURLToPath(url));
  for (let at = own; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'package.json'))) return at + sep;
  return own + sep;
}
