import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Logger } from '@quire/registry';
import type { Settings } from '../settings/index.js';

const KEY = 'pdfEditor.fallback-font';
/** First four bytes of a TrueType font (OpenType, Organization of an OpenType Font). */
const TRUE_TYPE: readonly string[] = ['00010000', '74727565'];
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Returns the font file that workers use first where a font of a document lacks characters; undefined if none is set.
 * One that cannot be used is a warning, and the built-in fonts are used alone.
 */
export function editorFont(settings: Pick<Settings, 'get'>, log: Logger): string | undefined {
  const path = settings.get(KEY);
  // Settings files of other servers name the font that this one has built in.
  if (path === '' || path.startsWith('classpath:')) return undefined;
  const fault = faultOf(path);
  if (fault === undefined) return path;
  log.warn({ setting: KEY, path }, `${KEY} ${fault}; the built-in fonts are used alone`);
  return undefined;
}

function faultOf(path: string): string | undefined {
  if (!isAbsolute(path)) return 'must be an absolute path of a TrueType font (.ttf)';
  try {
    const facts = statSync(path);
    if (!facts.isFile()) return 'does not name a file';
    if (facts.size > MOST_BYTES) return `names a file of more than ${MOST_BYTES / 1024 / 1024} MB`;
    return TRUE_TYPE.includes(firstBytes(path)) ? undefined : 'does not name a TrueType font (.ttf)';
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}

function firstBytes(path: string): string {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes);
  } finally {
    closeSync(file);
  }
  return bytes.toString('hex');
}
