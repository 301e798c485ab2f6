import type { ModelCaller } from './language-model.js';

/**
 * Turns texts into vectors that lie in similar directions where the texts mean similar things. Offered by plugin
 * `ai-tools`; where it is not loaded, no model is there. Of the server alone.
 */
export interface TextEmbeddings {
  /**
   * The model that the settings name; undefined while none is set up. Vectors of different models have nothing in
   * common.
   */
  readonly model: string | undefined;
  /**
   * One vector for each text, in their order and all of one length; of long texts the beginning counts. Rejects with
   * SERVICE_NOT_SET_UP (503: off, no model, unreachable, it does not take the key or know the model), REMOTE_BUSY,
   * REMOTE_ANSWER (502), REMOTE_TIMEOUT (504) and CANCELLED.
   */
  embed(texts: readonly string[], signal?: AbortSignal, caller?: ModelCaller): Promise<readonly Float32Array[]>;
}
