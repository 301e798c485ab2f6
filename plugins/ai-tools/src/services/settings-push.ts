import type { Logger, SettingsReader } from '@quire/registry';
import type { ModelService } from './model-service.js';

/** An engine that is away must not hold a stop up for longer. */
const PATIENCE_MS = 30_000;

/**
 * Sends the separate engine its settings, one push after another, so that the last ones win. A missing engine delays
 * nothing: questions will report it.
 */
export class SettingsPush {
  #last: Promise<void> = Promise.resolve();
  readonly #over = new AbortController();

  constructor(
    private readonly service: ModelService,
    private readonly log: Logger,
  ) {}

  /** `saved`: settings that were saved since the start. */
  begin(saved?: SettingsReader): void {
    this.#last = this.#last
      .then(() =>
        this.service.pushSettings(AbortSignal.any([this.#over.signal, AbortSignal.timeout(PATIENCE_MS)]), saved),
      )
      .catch((error: unknown) => {
        if (!this.#over.signal.aborted) this.log.warn({ err: error }, 'the AI engine did not take its settings');
      });
  }

  /** After a save of these paths. */
  saved(changed: readonly string[], saved: SettingsReader): void {
    if (changed.some((path) => path.startsWith('aiEngine.'))) this.begin(saved);
  }

  /** Cancels the running push. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#last;
  }
}
