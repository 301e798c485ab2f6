import type { ErrorCode, JoiRoot } from '@quire/registry';
import { defaultAccesses, integrationTypes, scopes } from '../functions/connection-types.js';

/** Bodies are small: settings of one connection. */
export const MAX_BODY_BYTES = 128 * 1024;

/** Codes of the endpoints that take a body. */
export const bodyCodes = [
  'INPUT_INVALID',
  'INPUT_MALFORMED',
  'INPUT_MEDIA_TYPE',
  'INPUT_TOO_LARGE',
  'ADDRESS_REFUSED',
  'CONNECTION_REFUSED',
  'SERVICE_NOT_SET_UP',
] as const satisfies readonly ErrorCode[];

/** The number of a connection in an address. */
export const idParams = (joi: JoiRoot) =>
  joi.object({ id: joi.number().integer().min(1).required().description('Number of the connection') });

/** Members of a connection that clients send; `required` ones are needed for a new one. */
export const sentMembers = (joi: JoiRoot, isNew: boolean) => {
  const usually = <S extends { default(value: unknown): S }>(schema: S, value: unknown): S =>
    isNew ? schema.default(value) : schema;
  const needed = <S extends { required(): S }>(schema: S): S => (isNew ? schema.required() : schema);
  return joi
    .object({
      integrationType: needed(joi.string().valid(...integrationTypes))
        .description(isNew ? 'Type of the other service' : 'Type of the other service; cannot be changed')
        .example('API'),
      name: needed(
        joi
          .string()
          .trim()
          .min(1)
          .max(255)
          .pattern(/^[^\p{Cc}]*$/u, 'one line of text'),
      )
        .description('Name')
        .example('Archive'),
      scope: usually(
        joi
          .string()
          .valid(...scopes)
          .empty(null),
        'USER',
      ).description('Whose it is: USER, TEAM or SERVER'),
      ownerTeamId: joi
        .number()
        .strict()
        .integer()
        .min(1)
        .allow(null)
        .description("Of scope TEAM: the team; the caller's own by default"),
      enabled: usually(joi.boolean().strict().empty(null), true).description('Whether it can be used'),
      locked: usually(joi.boolean().strict().empty(null), false).description('Only administrators may change it'),
      defaultAccess: usually(
        joi
          .string()
          .valid(...defaultAccesses)
          .empty(null),
        'EXPLICIT_ONLY',
      ).description(
        'Who may use it beside those whose it is: ORG_ALL everybody, ADMINS_AND_TEAM_LEADS, EXPLICIT_ONLY nobody',
      ),
      config: joi
        .object()
        .unknown(true)
        .strict()
        .empty(null)
        .description(
          'Settings of this type of connection. Secrets come back as ********; sent so, or blank, the stored one stays',
        )
        .example({ baseUrl: 'https://archive.example.com/api', authType: 'BEARER', token: 'secret' }),
    })
    .example({
      integrationType: 'API',
      name: 'Archive',
      enabled: true,
      config: { baseUrl: 'https://archive.example.com/api', authType: 'BEARER', token: 'secret' },
    });
};

/** A connection as the API returns it. */
export const connectionAnswer = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.number().integer().required(),
      integrationType: joi
        .string()
        .valid(...integrationTypes)
        .required(),
      name: joi.string().required(),
      scope: joi
        .string()
        .valid(...scopes)
        .required(),
      ownerUserId: joi.number().integer().allow(null).required(),
      ownerTeamId: joi.number().integer().allow(null).required(),
      enabled: joi.boolean().required(),
      locked: joi.boolean().required(),
      defaultAccess: joi
        .string()
        .valid(...defaultAccesses)
        .required(),
      config: joi.object().unknown(true).required().description('Secrets are masked as ********'),
      canManage: joi.boolean().required().description('The caller may change and delete it'),
      createdAt: joi.string().isoDate().required(),
      updatedAt: joi.string().isoDate().required(),
    })
    .label('Integration');
