import { finishExport } from '@quire/document/engines/printing';
import { missingCharacters } from '@quire/document/fonts/pdf-fonts';
import { missingFontsWarning } from './missing-fonts.js';

/**
 * Writes a PDF of LibreOffice to `target`, packed, with this product as its producer; the program stays named as its
 * creator. Returns warnings for users about its content.
 */
export async function finishOffice(source: string, target: string, now: Date): Promise<readonly string[]> {
  const warnings: string[] = [];
  await finishExport(source, target, now, ({ document }) => {
    const warning = missingFontsWarning(missingCharacters(document.context));
    if (warning !== undefined) warnings.push(warning);
  });
  return warnings;
}
