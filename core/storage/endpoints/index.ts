import type { Endpoint } from '@quire/registry';
import { storageFileEndpoints } from './storage-files.endpoint.js';
import { storageLinkEndpoints } from './storage-links.endpoint.js';
import { storageFolderEndpoints } from './storage-folders.endpoint.js';
import { storageShareEndpoints } from './storage-shares.endpoint.js';
import { storageUsageEndpoints } from './storage-usage.endpoint.js';
import type { StorageEndpointDeps } from './storage-wire.js';

export function storageEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    ...storageFileEndpoints(deps),
    ...storageFolderEndpoints(deps),
    ...storageShareEndpoints(deps),
    ...storageLinkEndpoints(deps),
    ...storageUsageEndpoints(deps),
  ];
}
