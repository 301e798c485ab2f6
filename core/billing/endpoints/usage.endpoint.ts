import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { Allowance } from '../index.js';

export interface UsageDeps {
  readonly allowance: Allowance;
}

const units = (joi: JoiRoot) => joi.number().integer();

const reportSchema = (joi: JoiRoot) =>
  joi
    .object({
      metered: joi
        .boolean()
        .required()
        .description('False while usage is not counted: no limit is set and licence.meter is off'),
      hosting: joi.string().valid('selfHosted', 'cloud').required(),
      period: joi.string().valid('none', 'day', 'month').required().description('When the count starts again, in UTC'),
      periodStart: joi.string().isoDate().allow(null).required(),
      periodEnd: joi.string().isoDate().allow(null).required(),
      limit: units(joi).allow(null).required().description('Units of the whole server in a period; null for no limit'),
      used: units(joi).required().description('Units used, including running calls'),
      remaining: units(joi).allow(null).required(),
      pending: units(joi).required().description('Units of running calls'),
      byCategory: joi
        .object()
        .pattern(joi.string(), units(joi))
        .required()
        .description('Units by AUTOMATION, AI and API'),
      byOperation: joi
        .array()
        .required()
        .items(
          joi.object({ operation: joi.string().required(), units: units(joi).required() }).label('OperationUsage'),
        ),
      byUser: joi
        .array()
        .required()
        .items(
          joi
            .object({
              id: joi.string().allow('').required().description('User id; empty for callers without an account'),
              name: joi.string().allow('').required(),
              units: units(joi).required(),
              keys: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      key: joi.string().required().description('Key id, or how the caller was recognised'),
                      units: units(joi).required(),
                    })
                    .label('KeyUsage'),
                ),
            })
            .label('UserUsage'),
        ),
      byAccount: joi
        .array()
        .required()
        .description('Teams and users with credits of their own (cloud)')
        .items(joi.object({ account: joi.string().required(), used: units(joi).required() }).label('AccountUsage')),
    })
    .label('UsageReport');

/** Usage against the allowance, for administrators. */
export function usageEndpoints({ allowance }: UsageDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'getUsage',
      method: 'GET',
      path: 'admin/usage',
      since: '1.0.0',
      summary: 'Get the usage of the current period',
      access: { role: 'admin', area: 'usage' },
      notes:
        'Calls with an API key and pipeline steps are charged, each by the cost that its operation declares. ' +
        'The breakdown contains finished calls.',
      returns: { description: 'Usage by operation, user and key', json: reportSchema },
      errors: ['KEY_INVALID', 'ADMIN_ONLY'],
      handle: async () => ({ json: await allowance.usage() }),
    }),
    defineEndpoint({
      id: 'resetUsage',
      method: 'POST',
      path: 'admin/usage/reset',
      since: '1.0.0',
      summary: 'Reset the current period',
      access: { role: 'admin', area: 'usage' },
      notes: 'Sets the usage of the server and of every account to 0. Running calls are forgiven.',
      returns: { description: 'The usage after the reset', json: reportSchema },
      errors: ['KEY_INVALID', 'ADMIN_ONLY'],
      handle: async () => {
        await allowance.reset();
        return { json: await allowance.usage() };
      },
    }),
  ];
}
