import { statfsSync } from 'node:fs';
import type { SettingsReader } from '@quire/registry';

/** Without a setting of bytes, never more than this: sessions are short-lived. */
const USUAL_BYTES = 10 * 1024 ** 3;

/**
 * Returns how many bytes editing sessions may keep on disk: `pdfEditor.cache.max-bytes`, else `max-percent` of the
 * volume of the temporary folder, and at most 10 GB.
 */
export function sessionBytes(settings: SettingsReader, folder: string): number {
  const bytes = settings.get<number>('pdfEditor.cache.max-bytes');
  if (bytes > 0) return bytes;
  const percent = settings.get<number>('pdfEditor.cache.max-percent');
  if (percent <= 0) return USUAL_BYTES;
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(USUAL_BYTES, Math.floor((blocks * bsize * Math.min(percent, 100)) / 100));
}
