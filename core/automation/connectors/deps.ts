import type { Clock, Logger, Mailer, Outbound, SavedConnections } from '@quire/registry';
import type { InvoiceReader } from '../../operations/pipelines/index.js';
import type { Settings } from '../../settings/index.js';
import type { Storage } from '../../storage/index.js';
import type { Store } from '../../store/index.js';
import type { WebhookSpool } from './webhook/webhook-spool.js';

/** Services that sources and destinations use. */
export interface ConnectorDeps {
  readonly settings: Settings;
  readonly store: Pick<Store, 'records'>;
  /** Undefined while login or `storage.enabled` is off. */
  readonly storage: Storage | undefined;
  readonly outbound: Outbound;
  /** Saved connections to other services. */
  connections(): SavedConnections;
  readonly mailer: Mailer;
  /** Where deliveries to webhooks wait. */
  readonly spool: WebhookSpool;
  /** Reads the invoice of a file, for placeholders. */
  readonly invoiceOf: InvoiceReader;
  readonly clock: Clock;
  readonly log: Logger;
}
