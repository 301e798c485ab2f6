import {
  booleanField,
  type DocumentFile,
  isQuireError,
  type JoiRoot,
  languagesField,
  type RunContext,
  shown,
  tokens,
} from '@quire/registry';
import type { Evidence } from '../functions/fields/read-evidence.js';
import { recognised, type Recognised } from './reading.js';

/** How scanned pages are read when fields are looked for. */
export interface ScannedParams {
  withOcr: boolean;
  languages: string[];
}

/** OCR facts of scanned pages, or the error code if OCR failed. */
export type ScannedFacts = Partial<Recognised['facts']> & { readonly ocrFault?: string };

/** Most scanned pages that are recognised: values are usually at the beginning of a document. */
const MOST_SCANNED = 100;

/** Services of `readForFields`. */
export const scannedServices = [tokens.settings, tokens.clock, tokens.recognizeText] as const;

/** The fields of `ScannedParams`. */
export function scannedFields(joi: JoiRoot) {
  return {
    withOcr: shown(
      booleanField(joi, `Recognise the text of pages that have none (scans), the first ${MOST_SCANNED} of them`, true),
      { label: 'Recognise scanned pages' },
    ),
    languages: shown(
      languagesField(
        joi,
        'Languages of scanned pages, the most important first; by default English, if it is installed',
        false,
      ),
      { when: { withOcr: true }, help: 'The most important first; English where none is chosen.' },
    ),
  };
}

/** Members of a JSON answer that hold `ScannedFacts`. */
export function scannedAnswer(joi: JoiRoot) {
  return {
    ocrPages: joi.number().integer().description('Scanned pages whose text was recognised'),
    ocrEngine: joi.string(),
    ocrLanguages: joi.string(),
    ocrFault: joi
      .string()
      .description('Code of the error with which recognition failed; the pages that have text were read even so'),
  };
}

/**
 * Collects possible names and values of fields, from scanned pages too. A failed OCR is reported and does not end the
 * run. Throws the codes of `readEvidence`, and OCR_LANGUAGES_UNKNOWN.
 */
export async function readForFields(
  file: DocumentFile,
  { withOcr, languages }: Readonly<ScannedParams>,
  ctx: RunContext,
): Promise<{ readonly evidence: Evidence; readonly facts: ScannedFacts }> {
  const { readEvidence } = await import('../functions/fields/read-evidence.js');
  const read = (path: string, begun: number): Promise<Evidence> =>
    readEvidence(path, {
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(begun * total + done, 3 * total),
    });
  const evidence = await read(file.path(), 0);
  if (!withOcr || evidence.texts.every((text) => text.trim() !== '')) return { evidence, facts: {} };
  try {
    const { path, facts } = await recognised(file, languages, ctx, {
      mostPages: MOST_SCANNED,
      progress: (done, total) => ctx.progress(total + done, 3 * total),
    });
    return facts.ocrPages === 0 ? { evidence, facts: {} } : { evidence: await read(path, 2), facts };
  } catch (error) {
    if (
      ctx.signal.aborted ||
      !isQuireError(error) ||
      !/^(?:PROGRAM_|DOCUMENT_UNPROCESSABLE|OCR_FAILED|QUEUE_FULL|TIMEOUT|IMAGE_TOO_LARGE)/.test(error.code)
    )
      throw error;
    return { evidence, facts: { ocrFault: error.code } };
  }
}
