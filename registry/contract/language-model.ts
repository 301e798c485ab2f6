import type { SettingsReader } from './settings-reader.js';

/** A switch under `aiEngine.features` of the settings. */
export type ModelFeatureSwitch = 'chat' | 'documentQuestions' | 'createPdf' | 'mathAuditor' | 'pdfComment' | 'classify';

/** The feature that asks. Each has its own switch in the settings; `docparse` depends on `aiEngine.enabled` only. */
export type ModelFeature = ModelFeatureSwitch | 'docparse';

/**
 * A question to the model and the shape of its answer. Text of documents belongs in `text` and `history` only, never in
 * `instructions`.
 */
export interface ModelQuestion {
  readonly feature: ModelFeature;
  /** `smart` for demanding work, `fast` for the rest (`aiEngine.models.smartModel`, `fastModel`). */
  readonly tier: 'smart' | 'fast';
  /** Instructions to the model, written by the caller. */
  readonly instructions: string;
  /** The data to work with. It may contain instructions, so it is marked as data. */
  readonly text: string;
  readonly history?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /**
   * Name (letters, digits, `_` and `-`, at most 64) and JSON Schema (draft 2020-12) of the answer, whose root is an
   * object: at most 64 KiB, without `pattern`, `patternProperties`, `uniqueItems` and references (`$ref`).
   */
  readonly answer: { readonly name: string; readonly schema: object };
}

/**
 * The language model that the operator configured. Offered by plugin `ai-tools`; without it nothing is usable. Also
 * available in workers, where `usable` and `limits` are known without a call.
 */
export interface LanguageModel {
  /** Returns whether the settings allow questions (for this feature); does not contact the model. */
  usable(feature?: ModelFeature): boolean;
  /**
   * Limits of a question: pages of documents, and UTF-16 code units of all its text (instructions, conversation and
   * text); `Number.MAX_SAFE_INTEGER` where the settings set none.
   */
  readonly limits: ModelLimits;
  /**
   * Asks, and resolves with a value that matches the schema; the model gets a second try when its first answer does
   * not. Rejects with SERVICE_NOT_SET_UP (503: not configured, disabled, unreachable, or it rejects the key or model),
   * REMOTE_BUSY (503 with the seconds to wait: it accepts no calls now), REMOTE_ANSWER (502: a refusal, no valid answer
   * twice, an error of the service), REMOTE_TIMEOUT (504), CANCELLED, and INPUT_TEXT_TOO_LONG (413) when instructions,
   * history and text together are longer than `limits.characters`. CONTRACT_BROKEN for an invalid question. `caller` is
   * sent to a separate engine (`X-User-Id`); omitted in workers, where the server fills in who started the run.
   */
  ask(question: ModelQuestion, signal?: AbortSignal, caller?: ModelCaller): Promise<unknown>;
}

/** The user on whose behalf a question is asked. */
export interface ModelCaller {
  /** Id of the principal; empty for everybody while login is off. */
  readonly id: string;
  readonly name: string;
}

/** Limits of one question. */
export interface ModelLimits {
  readonly pages: number;
  readonly characters: number;
}

/**
 * The properties of the model that follow from the settings. Used by the server and, with the settings that they may
 * read, by workers.
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
