import type { SettingsReader } from './settings-reader.js';

/** A switch under `aiEngine.features` of the settings. */
export type ModelFeatureSwitch = 'chat' | 'documentQuestions' | 'createPdf' | 'mathAuditor' | 'pdfComment' | 'classify';

/**
 * What a question is asked for. Each has a switch of its own in the settings; `docparse` has none beside
 * `aiEngine.enabled`.
 */
export type ModelFeature = ModelFeatureSwitch | 'docparse';

/**
 * A question to the model and the shape of its answer. Texts of documents stand in `text` and `history` alone, never in
 * `instructions`.
 */
export interface ModelQuestion {
  readonly feature: ModelFeature;
  /** `smart` for work that needs thought, `fast` for the rest (`aiEngine.models.smartModel`, `fastModel`). */
  readonly tier: 'smart' | 'fast';
  /** What the model is to do: the caller's own words. */
  readonly instructions: string;
  /** What it is to do it with: data, which may try to give orders and is marked as data. */
  readonly text: string;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /**
   * Name (letters, digits, `_` and `-`, at most 64) and JSON Schema (draft 2020-12) of the answer, whose root is an
   * object: at most 64 KiB, without `pattern`, `patternProperties`, `uniqueItems` and references (`$ref`).
   */
  readonly answer: { readonly name: string; readonly schema: object };
}

/**
 * The language model that the operator set up. Offered by plugin `ai-tools`; where it is not loaded, nothing is usable.
 * Reaches workers: `usable` and `limits` are known there without a call.
 */
export interface LanguageModel {
  /** True when the settings allow questions (of this kind); nothing was tried yet. */
  usable(feature?: ModelFeature): boolean;
  /**
   * How much a question may hold: pages of documents, and UTF-16 code units of all that it tells (instructions,
   * conversation and text); `Number.MAX_SAFE_INTEGER` where the settings set none.
   */
  readonly limits: ModelLimits;
  /**
   * Asks, and resolves with a value that fits the schema; the model gets a second try when its first answer does not.
   * Rejects with SERVICE_NOT_SET_UP (503: off, switched off, unreachable, it does not take the key or know the model),
   * REMOTE_BUSY (503 with the seconds to wait: it takes no more calls now), REMOTE_ANSWER (502: a refusal, no fitting
   * answer twice, an error of the service), REMOTE_TIMEOUT (504), CANCELLED, and INPUT_TEXT_TOO_LONG (413) when
   * instructions, history and text together are longer than `limits.characters`. CONTRACT_BROKEN for a question that is
   * none. `caller`: a separate engine is told who it is (`X-User-Id`); left out in workers, where the server fills in
   * who asked for the run.
   */
  ask(question: ModelQuestion, signal?: AbortSignal, caller?: ModelCaller): Promise<unknown>;
}

/** Who a question is asked for. */
export interface ModelCaller {
  /** Of the principal; empty for everybody while login is off. */
  readonly id: string;
  readonly name: string;
}

/** How much one question may hold. */
export interface ModelLimits {
  readonly pages: number;
  readonly characters: number;
}

/**
 * What the settings say of the model without asking it. Used by the server and, with the settings that they may read,
 * by workers.
 */
export function modelSettings(settings: SettingsReader): Pick<LanguageModel, 'usable' | 'limits'> {
  const limit = (path: string): number => {
    const value = settings.get<number | undefined>(path) ?? -1;
    return value < 0 ? Number.MAX_SAFE_INTEGER : value;
  };
  return {
    usable: (feature) =>
      settings.get<boolean | undefined>('aiEngine.enabled') === true &&
      (feature === undefined ||
        feature === 'docparse' ||
        settings.get<boolean | undefined>(`aiEngine.features.${feature}`) !== false),
    get limits() {
      return { pages: limit('aiEngine.limits.maxPages'), characters: limit('aiEngine.limits.maxCharacters') };
    },
  };
}
