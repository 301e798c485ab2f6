import { InputError } from '@quire/registry/errors';
import { fieldFault, numberOf } from './areas.js';

/** The field `style` of redact-execute. */
export interface RedactionStyle {
  readonly color: string | undefined;
  /** Written into the boxes; undefined leaves them plain. */
  readonly caption: string | undefined;
  /** Points. */
  readonly padding: number;
  readonly convertToImage: boolean;
  readonly strategy: 'AUTO' | 'OVERLAY_ONLY' | 'IMAGE_FINALIZE';
}

const STRATEGIES = ['AUTO', 'OVERLAY_ONLY', 'IMAGE_FINALIZE'] as const;
const MAX_PADDING = 14_400;
const MAX_CAPTION = 100;

/** Parses the field; missing members have their defaults. Throws INPUT_INVALID naming the invalid member. */
export function readStyle(text: string): RedactionStyle {
  const data = text.trim() === '' ? {} : parsed(text);
  const {
    color,
    caption,
    padding,
    convertToImage = false,
    strategy = 'AUTO',
  } = data as {
    readonly color?: unknown;
    readonly caption?: unknown;
    readonly padding?: unknown;
    readonly convertToImage?: unknown;
    readonly strategy?: unknown;
  };
  const points = numberOf(padding) ?? (padding === undefined || padding === null || padding === '' ? 0 : null);
  if (points === null || points < 0 || points > MAX_PADDING)
    throw fieldFault('style', `/padding must be a number from 0 to ${MAX_PADDING}`);
  const chosen = STRATEGIES.find((one) => one === String(strategy ?? 'AUTO').toUpperCase());
  if (chosen === undefined) throw fieldFault('style', `/strategy must be one of ${STRATEGIES.join(', ')}`);
  const converts = convertToImage === null ? 'false' : String(convertToImage).toLowerCase();
  if (converts !== 'true' && converts !== 'false') throw fieldFault('style', '/convertToImage must be true or false');
  if (caption !== undefined && caption !== null && (typeof caption !== 'string' || caption.length > MAX_CAPTION))
    throw fieldFault('style', `/caption must be a text of at most ${MAX_CAPTION} characters`);
  const words = typeof caption === 'string' ? caption.trim() : '';
  return {
    caption: words === '' ? undefined : words,
    color: typeof color === 'string' ? color : undefined,
    padding: points,
    convertToImage: converts === 'true',
    strategy: chosen,
  };
}

function parsed(text: string): object {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw fieldFault('style', 'must be JSON: {"color", "caption", "padding", "convertToImage", "strategy"}');
  }
  if (data === null) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw fieldFault('style', 'must be a JSON object');
  return data;
}

/**
 * Page numbers of a list field, as indexes; values that are not page numbers are skipped
 * (`docs/interface/security.yml`, redact-execute).
 */
export function pageIndexes(values: readonly (string | number)[]): number[] {
  return [
    ...new Set(
      values
        .flatMap((value) => String(value).split(','))
        .map((value) => value.trim())
        .filter((value) => /^\d{1,9}$/.test(value) && Number(value) >= 1)
        .map((value) => Number(value) - 1),
    ),
  ];
}

/** The error for a call without targets. */
export function noTargets(): InputError {
  return new InputError('INPUT_INVALID', {
    detail:
      'Nothing to redact: send textValues, regexPatterns, terms, presets, wipePages, ranges, imageBoxes or ' +
      'redactImagePages ' +
      '(error.redaction.no.targets)',
  });
}
