import { extname } from 'node:path';
import { baseName } from '@quire/registry';
import { cleanFileName } from './file-names.js';

/** Values for the placeholders `{pipelineName}`, `{date}` (20260131) and `{time}` (235959) in the server's zone. */
export interface PatternValues {
  readonly pipelineName: string;
  readonly now: Date;
}

/** Fills in the placeholders of a pattern; others stay. */
export function filledPattern(pattern: string, { pipelineName, now }: PatternValues): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const words: Readonly<Record<string, string>> = {
    '{pipelineName}': pipelineName.replace(/[/\\]/g, '_'),
    '{date}': `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`,
    '{time}': `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`,
  };
  return pattern.replace(/\{(?:pipelineName|date|time)\}/g, (word) => words[word] ?? word);
}

/**
 * Returns the name of an output by the pattern `outputFileName`, with the extension of the output; the default is
 * `{filename}`.
 */
export function outputFileName(pattern: string | undefined, output: string, values: PatternValues): string {
  const name = baseName(output);
  const extension = extname(output);
  const shape = pattern === undefined || pattern.trim() === '' ? '{filename}' : pattern;
  const filled = filledPattern(shape, values)
    .replace(/\{filename\}/g, () => name)
    .replace(/[/\\]/g, '_');
  // A leading dot would hide the output from people and from other watched folders.
  return cleanFileName(`${filled}${extension}`).replace(/^\.+/, '_');
}
