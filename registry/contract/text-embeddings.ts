import type { ModelCaller } from './language-model.js';

/**
 * Converts texts to vectors that point in similar directions where the texts have similar meanings. Offered by plugin
 * `ai-tools`; without it there is no model. Available in the server only.
 */
export interface TextEmbeddings {
  /** The configured model; undefined when none is configured. Vectors of different models cannot be compared. */
  readonly model: string | undefined;
  /**
   * Returns one vector for each text, in order and all of one length; only the beginning of a long text counts. Rejects
   * with SERVICE_NOT_SET_UP (503: disabled, no model, unreachable, or it rejects the key or model), REMOTE_BUSY,
   * REMOTE_ANSWER (502), REMOTE_TIMEOUT (504) and CANCELLED.
   */
  embed(texts: readonly string[], signal?: AbortSignal, caller?: ModelCaller): Promise<readonly Float32Array[]>;
}
