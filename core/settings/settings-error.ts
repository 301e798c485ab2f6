import { StartupError } from '@quire/registry/errors';

/** All faults of the settings at once. The message has one line per fault; the server does not start. */
export class SettingsError extends Error {
  constructor(readonly faults: readonly StartupError[]) {
    super(['The settings have faults:', ...faults.map((fault) => `  ${fault.message}`)].join('\n'));
    this.name = 'SettingsError';
  }
}

/** Collects faults, so that one message reports them all. */
export class FaultList {
  readonly #faults: StartupError[] = [];
  readonly #details: string[] = [];
  add(where: string, detail: string): void {
    this.#faults.push(new StartupError('SETTINGS_INVALID', { where, detail }));
    this.#details.push(detail);
  }
  /** The faults, without their places. */
  details(): readonly string[] {
    return this.#details;
  }
  get size(): number {
    return this.#faults.length;
  }
  throwIfAny(): void {
    if (this.#faults.length > 0) throw new SettingsError(this.#faults);
  }
}
