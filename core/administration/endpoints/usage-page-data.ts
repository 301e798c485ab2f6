import { defineEndpoint, type Endpoint } from '@quire/registry';
import { accountsOf, adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { LoginServices } from '../../accounts/index.js';
import { endpointStatistics, MOST_DAYS, type EndpointDays } from '../../metrics/index.js';
import type { Settings } from '../../settings/index.js';
import type { Storage } from '../../storage/index.js';
import type { AdministrationServices } from '../administration-services.js';
import { backupShape, backupWire } from './database.endpoint.js';
import { base, count, flag, text } from './page-data-shapes.js';

export interface UsagePageDataDeps {
  readonly admin: AdministrationServices;
  readonly days: EndpointDays;
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly settings: Settings;
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
}

export function databaseData({ admin: { database } }: UsagePageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getDatabaseData',
    path: 'proprietary/ui-data/database',
    summary: 'Get data of the database page',
    access: forAdmins,
    returns: {
      description: 'The database and its backups, newest first',
      json: (joi) =>
        joi
          .object({
            databaseType: joi.string().valid('embedded', 'mongodb').required(),
            databaseVersion: text(joi),
            versionUnknown: flag(joi),
            backupsPossible: flag(joi).description('False with MongoDB, which has its own tools'),
            restoreWaiting: flag(joi).description('A restored backup takes effect at the next start'),
            backupFiles: joi.array().items(backupShape(joi)).required(),
          })
          .label('DatabaseData'),
    },
    errors: adminCodes,
    handle: async () => {
      const { kind, backups } = database;
      return {
        json: {
          databaseType: kind,
          databaseVersion: await database.version(),
          versionUnknown: false,
          backupsPossible: backups !== undefined,
          restoreWaiting: (await backups?.waiting()) ?? false,
          backupFiles: ((await backups?.list()) ?? []).map(backupWire),
        },
      };
    },
  });
}

export function documentsData(deps: UsagePageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getDocumentsData',
    path: 'proprietary/ui-data/documents',
    summary: 'Get data of the storage page',
    access: { ...forAdmins, area: 'usage' },
    notes: 'Counts and sizes by owner; administrators see no names or contents of files here.',
    returns: {
      description: 'Stored data by owner, most bytes first',
      json: (joi) =>
        joi
          .object({
            storageEnabled: flag(joi),
            totalDocuments: count(joi),
            totalBytes: count(joi),
            owners: joi
              .array()
              .items(
                joi
                  .object({
                    userId: count(joi),
                    username: text(joi).allow(null).description('Null if the account was deleted'),
                    documents: count(joi),
                    bytes: count(joi),
                  })
                  .label('DocumentOwner'),
              )
              .required(),
          })
          .label('DocumentsData'),
    },
    errors: adminCodes,
    handle: async () => {
      const overview = (await deps.storage?.overview()) ?? new Map<string, never>();
      const names = new Map((await accountsOf(deps).users.everybody()).map(({ id, username }) => [id, username]));
      const owners = [...overview]
        .map(([id, { files, bytes }]) => ({
          userId: Number(id),
          username: names.get(id) ?? null,
          documents: files,
          bytes,
        }))
        .sort((a, b) => b.bytes - a.bytes || a.userId - b.userId);
      return {
        json: {
          storageEnabled: deps.storage !== undefined,
          totalDocuments: owners.reduce((sum, { documents }) => sum + documents, 0),
          totalBytes: owners.reduce((sum, { bytes }) => sum + bytes, 0),
          owners,
        },
      };
    },
  });
}

export function statisticsData(deps: UsagePageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getEndpointStatistics',
    path: 'proprietary/ui-data/usage-endpoint-statistics',
    summary: 'Get call statistics by address',
    access: { ...forAdmins, area: 'usage', licence: 'enterprise', licenceRefusal: 403 },
    notes:
      'Calls of all servers on the store, counted by route and day (UTC) while `metrics.enabled` is on. `api`: ' +
      'paths under /api/v1; `ui`: pages and their data. Percentages refer to all calls of the selected type, ' +
      'including those beyond `limit`.',
    request: {
      query: (joi) =>
        joi.object({
          limit: joi.number().integer().min(1).max(10_000).description('Maximum number of addresses; default: all'),
          dataType: joi.string().valid('all', 'api', 'ui').default('all').description('Type of addresses'),
          days: joi.number().integer().min(1).max(MOST_DAYS).default(30).description('Number of days, including today'),
        }),
    },
    returns: {
      description: 'Addresses, most called first',
      json: (joi) =>
        joi
          .object({
            endpoints: joi
              .array()
              .items(
                joi
                  .object({ endpoint: text(joi), visits: joi.number().required(), percentage: joi.number().required() })
                  .label('EndpointUsage'),
              )
              .required(),
            totalEndpoints: count(joi),
            totalVisits: joi.number().required(),
          })
          .label('EndpointStatistics'),
    },
    errors: [...adminCodes, 'INPUT_INVALID', 'LICENCE_TOO_LOW'],
    handle: async ({ query }) => {
      const { limit, dataType, days } = query as { limit?: number; dataType: 'all' | 'api' | 'ui'; days: number };
      return {
        json: endpointStatistics(await deps.days.since(days), {
          dataType,
          limit,
          prefix: deps.settings.get('system.rootUriPath'),
        }),
      };
    },
  });
}
