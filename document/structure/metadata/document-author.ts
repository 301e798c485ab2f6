import { asText, entry } from '../../file/objects/index.js';
import { openLazily } from '../../file/reader/index.js';
import { type PdfInput, withSource } from '../../file/source/index.js';
import { infoOf } from './info.js';
import { readXmp } from './metadata.js';
import { infoValue } from './xmp.js';

/**
 * Returns the author of a document, as its information dictionary says, else its XMP; undefined if it names none, or
 * needs a password or repair. Reads little of the file.
 */
export function documentAuthor(input: PdfInput): Promise<string | undefined> {
  return withSource(input, async (source) => {
    try {
      const { context } = openLazily(source);
      const info = infoOf(context);
      const author = info === undefined ? undefined : asText(context, entry(info, 'Author'))?.trim();
      const named =
        author === undefined || author === '' ? infoValue(readXmp(context) ?? '', 'Author')?.trim() : author;
      return named === '' ? undefined : named;
    } catch {
      return undefined;
    }
  });
}
