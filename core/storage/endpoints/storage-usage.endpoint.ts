import { defineEndpoint, type Endpoint } from '@quire/registry';
import { storageCodes, storageOf, storageShared, type StorageEndpointDeps } from './storage-wire.js';

/** The endpoint that reports how much the caller stores, and how much is allowed. */
export function storageUsageEndpoints(deps: StorageEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...storageShared,
      since: '1.4.0',
      id: 'getStorageUsage',
      method: 'GET',
      path: 'storage/usage',
      summary: 'Get your storage usage and limits',
      notes:
        'Bytes of your own files, with their histories and audit logs. The limit of all users together is not in ' +
        'it: an upload can be rejected with 413 although your own limit is not reached.',
      returns: {
        description: 'The usage',
        json: (joi) =>
          joi
            .object({
              usedBytes: joi.number().integer().min(0).required().description('Bytes of your files'),
              allowedBytes: joi
                .number()
                .integer()
                .allow(null)
                .required()
                .description('Most bytes of your files together; null: no limit'),
              maxFileBytes: joi
                .number()
                .integer()
                .allow(null)
                .required()
                .description('Most bytes of one file; null: no limit'),
            })
            .label('StorageUsage'),
      },
      errors: [...storageCodes],
      handle: async ({ principal }) => ({ json: { ...(await storageOf(deps).quotas.usage(principal.id)) } }),
    }),
  ];
}
