import type { StartupError } from '@quire/registry';

/** All faults of all plugins at once, one line each in the message. The server does not start. */
export class CatalogError extends Error {
  constructor(readonly faults: readonly StartupError[]) {
    super(['The plugins have faults:', ...faults.map((fault) => `  ${fault.message}`)].join('\n'));
    this.name = 'CatalogError';
  }
}
