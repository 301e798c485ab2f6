import { defineEndpoint, type Endpoint } from '@quire/registry';
import { adminPaths, knownKeyByPath, shortOrigin } from '../../settings/index.js';
import type { AdminSettingsDeps } from './admin-settings.endpoint.js';

/** Every setting that administrators see, with what an editor needs to know of it. */
export function settingsDescriptions({ admin, settings }: AdminSettingsDeps): Endpoint {
  return defineEndpoint({
    id: 'describeSettings',
    method: 'GET',
    path: 'admin/settings/described',
    since: '1.3.0',
    tag: 'admin',
    summary: 'Describe all settings',
    notes:
      'Meaning, type, limits, default and origin of each setting, its value now, ' +
      'and `pending`: the value that it has ' +
      'after a restart, where that differs. Secrets are shown as ********.',
    access: { role: 'admin', area: 'settings', needsLogin: true },
    returns: {
      description: 'The settings in the order of the reference',
      json: (joi) =>
        joi
          .object({
            settings: joi
              .array()
              .required()
              .items(
                joi
                  .object({
                    key: joi.string().required(),
                    meaning: joi.string().required(),
                    type: joi.string().required(),
                    nullable: joi.boolean().required(),
                    default: joi.any().required(),
                    allowed: joi.array().items(joi.any()),
                    minimum: joi.number(),
                    maximum: joi.number(),
                    secret: joi.boolean().required(),
                    fileOnly: joi.boolean().required().description('Only the settings file and the environment set it'),
                    environment: joi
                      .string()
                      .description('The variable that sets it now; it cannot be changed here then'),
                    acts: joi.boolean().required().description('False: accepted, without effect'),
                    instead: joi
                      .string()
                      .description('Why it is without effect, and what to use instead; only where `acts` is false'),
                    origin: joi.string().required().description('`shipped`, `file:line` or `environment NAME`'),
                    value: joi.any().required(),
                    pending: joi.any(),
                  })
                  .label('DescribedSetting'),
              ),
          })
          .label('DescribedSettings'),
    },
    errors: ['KEY_INVALID', 'ADMIN_ONLY', 'SETTINGS_FILE_BROKEN'],
    handle: async () => {
      const values = new Map(admin.settingsFile.values(false));
      const pending = new Map(admin.settingsFile.pending().map(({ path, value }) => [path, value]));
      return {
        json: { settings: adminPaths.flatMap((path) => describe(path, settings.origin(path), values, pending)) },
      };
    },
  });
}

function describe(
  path: string,
  origin: string,
  values: ReadonlyMap<string, unknown>,
  pending: ReadonlyMap<string, unknown>,
): object[] {
  const key = knownKeyByPath.get(path);
  if (key === undefined) return [];
  const { meaning, type, allowed, min, max, acts, instead, secret = false, fileOnly = false } = key;
  const variable = /^environment (\S+)$/.exec(origin)?.[1];
  return [
    {
      key: path,
      meaning,
      type: type.replace('?', ''),
      nullable: type.endsWith('?'),
      default: key.default,
      ...(allowed === undefined ? {} : { allowed }),
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
      secret,
      fileOnly,
      ...(variable === undefined ? {} : { environment: variable }),
      acts,
      ...(instead === undefined ? {} : { instead }),
      origin: shortOrigin(origin),
      value: values.get(path) ?? null,
      ...(pending.has(path) ? { pending: pending.get(path) ?? null } : {}),
    },
  ];
}
