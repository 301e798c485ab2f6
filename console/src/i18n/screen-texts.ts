import { t } from './frame.ts';
import { createTexts, fromFiles, type TextFiles, type Texts } from './texts.ts';

/**
 * Returns the texts of a screen, from its catalogues: `screenTexts(import.meta.glob('./texts/*.json'))`. Texts that the
 * frame has are not repeated in them.
 */
export function screenTexts(files: TextFiles): Texts {
  return createTexts(fromFiles(files), t);
}
