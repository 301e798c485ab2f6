import type { JoiRoot } from '@quire/registry';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const schemas = (joi: JoiRoot) => joi.array().description('URNs of the schemas');

/** Bodies are described for readers; the schemas of SCIM check them, since names have any case. */
export const userBody = (joi: JoiRoot) =>
  joi
    .object({
      schemas: schemas(joi).example(['urn:ietf:params:scim:schemas:core:2.0:User']),
      userName: joi.any().description('Name of the account').example('ada@example.org'),
      externalId: joi.any().description('Id of the user at the identity provider').example('00u1'),
      active: joi.any().description('False: the account is disabled').example(true),
    })
    .unknown()
    .label('ScimUserBody');

export const groupBody = (joi: JoiRoot) =>
  joi
    .object({
      schemas: schemas(joi).example(['urn:ietf:params:scim:schemas:core:2.0:Group']),
      displayName: joi.any().description('Name of the group').example('accounting'),
      members: joi.any().description('Accounts: a list of objects with the id as value').example([]),
    })
    .unknown()
    .label('ScimGroupBody');

export const patchBody = (joi: JoiRoot) =>
  joi
    .object({
      schemas: schemas(joi).example([PATCH]),
      Operations: joi
        .any()
        .description('Operations: objects with op (add, replace or remove), path and value')
        .example([{ op: 'replace', path: 'active', value: false }]),
    })
    .unknown()
    .label('ScimPatch');

/** A resource in an answer. */
export const resourceBody = (joi: JoiRoot, label: string) =>
  joi
    .object({
      schemas: joi.array().items(joi.string()).required().description('URNs of the schemas'),
      id: joi.string().required().description('Id here'),
      meta: joi.object().unknown().description('Type, times, address and entity tag'),
    })
    .unknown()
    .label(label);

export const listAnswer = (joi: JoiRoot) =>
  joi
    .object({
      schemas: joi.array().items(joi.string()).required().description('URN of a list'),
      totalResults: joi.number().integer().required().description('How many match'),
      startIndex: joi.number().integer().required().description('The first one, from 1'),
      itemsPerPage: joi.number().integer().required().description('How many this answer has'),
      Resources: joi.array().items(joi.object().unknown()).required().description('The resources'),
    })
    .label('ScimList');
