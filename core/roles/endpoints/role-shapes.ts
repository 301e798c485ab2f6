import type { JoiRoot } from '@quire/registry';
import type { RightsHolder } from '../effective-rights.js';
import type { Roles } from '../roles.js';
import { limitNames, ROLE_NAME, storageUses, type Rights, type Role } from '../model.js';

const MOST_NAMES = 1000;
const names = (joi: JoiRoot) => joi.array().items(joi.string().max(300)).max(MOST_NAMES).unique();

const limitTexts: Readonly<Record<(typeof limitNames)[number], string>> = {
  apiCallsPerDay: 'POST calls with API keys per day (UTC)',
  webCallsPerDay: 'POST calls in the browser per day (UTC)',
  uploadMb: 'Megabytes in one request',
  pagesPerDocument: 'Pages of one document that a tool is given',
  jobsAtOnce: 'Jobs that run at once; further ones wait',
  jobsWaiting: 'Jobs that wait at once; further ones are refused',
  storageMb: 'Megabytes of stored files',
};

/** Least values: with none of these, nothing could be done at all. */
const leastOf: Partial<Record<(typeof limitNames)[number], number>> = { pagesPerDocument: 1, jobsAtOnce: 1 };

const limits = (joi: JoiRoot) =>
  joi
    .object(
      Object.fromEntries(
        limitNames.map((name) => [
          name,
          joi
            .number()
            .strict()
            .integer()
            .min(leastOf[name] ?? 0)
            .max(1_000_000_000)
            .allow(null)
            .default(null)
            .description(`${limitTexts[name]}; null: no limit beside the server's`),
        ]),
      ),
    )
    .label('RoleLimits');

/** Members of rights. `areas` may be null in answers only: no other role than ROLE_ADMIN has everything. */
function rightsMembers(joi: JoiRoot, answer: boolean) {
  const areas = names(joi).required();
  return {
    categories: names(joi)
      .allow(null)
      .required()
      .description('First parts of the paths of tools (`general`); null: all')
      .example(['general', 'convert']),
    operations: joi
      .object({
        allow: names(joi).default([]).description('Tools beside the categories').example(['misc/ocr-pdf']),
        deny: names(joi).default([]).description('Tools of the categories that are left out; wins over allow'),
      })
      .default({ allow: [], deny: [] })
      .label('RoleOperations'),
    storage: joi
      .string()
      .valid(...storageUses)
      .required()
      .description('Stored files: none, read, or use'),
    automations: joi.boolean().strict().required().description('May make automations and saved pipelines'),
    apiKeys: joi.boolean().strict().required().description('May make API keys'),
    areas: (answer ? areas.allow(null) : areas)
      .description(`Areas of administration${answer ? '; null: everything' : ''}`)
      .example(['users']),
    limits: limits(joi).default(),
  };
}

/** What an account may do, of its role and what was granted. */
export const ownRights = (joi: JoiRoot) =>
  joi
    .object({ role: joi.string().required(), title: joi.string().required(), ...rightsMembers(joi, true) })
    .label('OwnRights');

export function ownRightsWire(roles: Pick<Roles, 'rightsOf' | 'titleOf'>, holder: RightsHolder): object {
  const [role = ''] = holder.roles ?? [];
  return { role, title: roles.titleOf(role), ...rightsWire(roles.rightsOf(holder)) };
}

const rightsSchema = (joi: JoiRoot) => joi.object(rightsMembers(joi, true)).label('Rights');
const sentRights = (joi: JoiRoot) => joi.object(rightsMembers(joi, false)).label('SentRights');

export const roleNameField = (joi: JoiRoot) =>
  joi
    .string()
    .max(63)
    .pattern(ROLE_NAME, 'ROLE_ and capitals, digits and _')
    .required()
    .description('Name of the role; it cannot be changed')
    .example('ROLE_FRONT_DESK');

export const roleSchema = (joi: JoiRoot) =>
  joi
    .object({
      name: roleNameField(joi),
      title: joi.string().required(),
      description: joi.string().allow('').required(),
      builtIn: joi.boolean().required().description('Comes with the server and cannot be deleted'),
      fixed: joi.boolean().required().description('Cannot be changed'),
      version: joi.number().integer().required().description('0: as shipped'),
      users: joi.number().integer().required().description('Accounts and open invites that have it'),
      rights: rightsSchema(joi).required(),
      changedAt: joi.string().isoDate().allow(null).required(),
      changedBy: joi.string().allow(null).required(),
    })
    .label('Role');

/** What is written of a role. */
export const contentMembers = (joi: JoiRoot) => ({
  title: joi.string().trim().min(1).max(100).required().description('Name for people').example('Front desk'),
  description: joi.string().trim().max(1000).allow('').default(''),
  rights: sentRights(joi).required(),
});

export const roleExample = {
  title: 'Front desk',
  description: 'Scans and converts',
  rights: {
    categories: ['general', 'convert'],
    operations: { allow: [], deny: [] },
    storage: 'read',
    automations: false,
    apiKeys: false,
    areas: [],
    limits: { uploadMb: 50 },
  },
};

export function roleWire(role: Role, users: number): object {
  const { name, title, description, builtIn, fixed, version, rights, changedAt, changedBy } = role;
  return { name, title, description, builtIn, fixed, version, users, rights: rightsWire(rights), changedAt, changedBy };
}

function rightsWire(rights: Rights): Rights {
  const { categories, operations, storage, automations, apiKeys, areas, limits: own } = rights;
  return { categories, operations, storage, automations, apiKeys, areas, limits: own };
}
