import { chooseLanguages, type JoiRoot, languagesField, maxDpi, type RunContext, shown, tokens } from '@quire/registry';
import type { OcrReading } from '../functions/redaction/verify-by-ocr.js';

/** Fields of operations that can read their result with OCR. */
export interface VerifyParams {
  verify: 'text' | 'ocr';
  languages: string[];
}

/** Services that these operations need. */
export const verifyServices = [tokens.settings, tokens.clock, tokens.recognizeText] as const;

/** OCR takes seconds for each page, in milliseconds. */
export const VERIFY_TIMEOUT_MS = 600_000;

/** The fields `verify` and `languages`. */
export function verifyFields(joi: JoiRoot) {
  return {
    verify: shown(
      joi
        .string()
        .lowercase()
        .empty('')
        .valid('text', 'ocr')
        .default('text')
        .description(
          'How the result is checked: text reads the text of the file; ocr also draws every page and reads it with ' +
            'OCR, which takes seconds per page, and fails if a term can still be read',
        )
        .example('text'),
      {
        label: 'Check the result',
        help: 'With OCR every page is drawn and read, which takes seconds per page.',
        advanced: true,
        options: { text: 'By its text', ocr: 'By its text and with OCR' },
      },
    ),
    languages: shown(
      languagesField(
        joi,
        'Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed, if absent',
        false,
      ),
      { when: { verify: 'ocr' }, help: 'The most important first; English where none is chosen.', advanced: true },
    ),
  };
}

/** The OCR for a call with verify=ocr, else undefined. Throws OCR_LANGUAGES_UNKNOWN. */
export async function ocrFor(
  { verify, languages: wanted }: VerifyParams,
  ctx: RunContext,
): Promise<OcrReading | undefined> {
  if (verify !== 'ocr') return undefined;
  const recogniser = ctx.use(tokens.recognizeText);
  const { languages: installed, atOnce } = await recogniser.offer();
  const usual = installed.includes('eng') ? 'eng' : (installed[0] ?? 'eng');
  const { languages } = chooseLanguages(wanted.length > 0 ? wanted : [usual], installed);
  return {
    read: (picture, words, dpi, signal) => recogniser.words(picture, words, { languages, dpi }, signal),
    atOnce,
    maxDpi: maxDpi(ctx),
    folder: await ctx.folder(),
  };
}
