import type { ConnectorDeps } from './deps.js';
import { folderDestination } from './folder/folder-destination.js';
import { folderSource } from './folder/folder-source.js';
import { mailboxSource } from './mailbox/mailbox-source.js';
import type { DestinationKind, SourceKind } from './model.js';
import { callbackDestination } from './outgoing/callback-destination.js';
import { mailDestination } from './outgoing/mail-destination.js';
import { s3Destination } from './s3/s3-destination.js';
import { s3Source } from './s3/s3-source.js';
import { storageDestination } from './storage/storage-destination.js';
import { storageSource } from './storage/storage-source.js';
import { webhookSource } from './webhook/webhook-source.js';

export type { ConnectorDeps } from './deps.js';
export { withNamedBucket } from './s3/s3-options.js';
export { connectionTrials } from './s3/try-connection.js';
export { STORAGE_SOURCE } from './storage/stored-folders.js';
export { webhookEndpoint } from './webhook/webhook.endpoint.js';
export { WebhookSpool } from './webhook/webhook-spool.js';

/** All kinds of sources. */
export function sourceKinds(deps: ConnectorDeps): readonly SourceKind[] {
  return [folderSource(deps), storageSource(deps), s3Source(deps), webhookSource(deps), mailboxSource(deps)];
}

/** All kinds of destinations. */
export function destinationKinds(deps: ConnectorDeps): readonly DestinationKind[] {
  return [
    folderDestination(deps),
    storageDestination(deps),
    s3Destination(deps),
    mailDestination(deps),
    callbackDestination(deps),
  ];
}
