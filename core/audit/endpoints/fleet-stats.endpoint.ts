import { defineEndpoint, type Endpoint } from '@quire/registry';
import { accountsOf, adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { LoginServices } from '../../accounts/index.js';
import type { AuditLog } from '../index.js';

export interface FleetStatsDeps {
  /** Undefined while login or the audit log is off. */
  readonly audit: AuditLog | undefined;
  readonly login: LoginServices | undefined;
}

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
/** The first level that records work on documents. */
const STANDARD = 2;

/** Figures on accounts and their work (`docs/interface/identity.yml`, fleet statistics). */
export function fleetStatsEndpoint({ audit, login }: FleetStatsDeps): Endpoint {
  return defineEndpoint({
    id: 'getFleetStats',
    method: 'GET',
    path: 'usage/fleet-stats',
    since: '1.6.0',
    tag: 'audit',
    summary: 'Count accounts, active users and processed documents',
    notes:
      'Of all servers on the store. What users did is read from the audit log: it reaches back as far as that ' +
      '(`premium.enterpriseFeatures.audit.retentionDays`), counts calls of sessions and not of API keys, and is null ' +
      'while the log is off or below level 2.',
    access: { ...forAdmins, area: 'usage' },
    returns: {
      description: 'The figures',
      json: (joi) =>
        joi
          .object({
            editorsDeployed: joi.number().integer().min(0).required().description('Accounts, also disabled ones'),
            activeThisMonth: joi
              .number()
              .integer()
              .min(0)
              .allow(null)
              .required()
              .description('Accounts that were used in a session in the last 30 days'),
            pdfsProcessed: joi
              .number()
              .integer()
              .min(0)
              .allow(null)
              .required()
              .description('Calls of sessions that processed or stored files, or started a job that does'),
          })
          .label('FleetStats'),
    },
    errors: adminCodes,
    handle: async () => {
      const accounts = await accountsOf({ login }).users.everybody();
      const kept = audit !== undefined && audit.level >= STANDARD ? audit : undefined;
      const from = Date.now() - MONTH_DAYS * DAY_MS;
      return {
        json: {
          editorsDeployed: accounts.length,
          activeThisMonth:
            (await kept?.seenInSessions(
              accounts.map(({ username }) => username),
              from,
            )) ?? null,
          pdfsProcessed: (await kept?.processedInSessions()) ?? null,
        },
      };
    },
  });
}
