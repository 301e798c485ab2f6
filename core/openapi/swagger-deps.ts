import type { Catalog } from '@quire/catalog';
import type { Endpoint, Logger } from '@quire/registry';
import type { AvailabilityTable, Guard } from '../access/index.js';
import type { SavedToolsOf } from './saved-document.js';
import type { Settings } from '../settings/index.js';

export interface SwaggerDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly endpoints: readonly Endpoint[];
  readonly guard: Pick<Guard, 'lack'>;
  readonly prefix: string;
  readonly version: string;
  readonly settings: Settings;
  /** The saved pipelines that a caller may run now. */
  readonly savedTools: SavedToolsOf;
  readonly log: Pick<Logger, 'warn'>;
  /** Folders that are searched for plugins. */
  readonly resolveFrom: readonly string[];
}
