import type { ViewFailure } from './protocol.ts';

/** A document or page that cannot be shown. `code` chooses the sentence that people read. */
export class ViewError extends Error {
  override readonly name = 'ViewError';

  constructor(
    readonly code: ViewFailure,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}
