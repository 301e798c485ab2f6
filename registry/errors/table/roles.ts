import { accessRow, inputRow } from './row.js';

/** Roles, rights and access grants. */
export const rolesErrors = {
  RIGHTS_MISSING: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not included in your role',
    text:
      'Your role "{title}" ({role}) does not include {what}. An administrator can change the role or give you ' +
      'access.',
    error: 'Forbidden',
  }),
  ROLE_PAGES_EXCEEDED: inputRow({
    status: 413,
    type: 'too-many-pages',
    title: 'More pages than your role allows',
    text:
      '{file} has {found} pages; your role "{title}" ({role}) allows {limit} in one document ' +
      '(limits.pagesPerDocument). Split the document, or ask an administrator.',
  }),
  RIGHTS_EXCEEDED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'More rights than your own',
    text: '{action} needs rights that you do not have yourself: {detail}. Ask a full administrator.',
    error: '{text}',
  }),
  ROLE_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such role',
    text: 'There is no role "{name}". GET /api/v1/admin/roles lists them.',
    error: '{text}',
  }),
  ROLE_TAKEN: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Role exists',
    text: 'A role with the name {name} exists already.',
    error: '{text}',
  }),
  ROLE_CHANGED: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Role changed meanwhile',
    text: '{name} has version {version} now, not {sent}: read it again and repeat the change.',
    error: '{text}',
  }),
  ROLE_FIXED: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Role of the server',
    text: '{name} cannot be {action}: {detail}.',
    error: '{text}',
  }),
  ROLE_IN_USE: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Role in use',
    text: '{name} cannot be deleted: {detail}. Give them another role first.',
    error: '{text}',
  }),
  GRANT_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Invalid grant',
    text: '{detail}.',
    error: '{text}',
  }),
  GRANT_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such grant',
    text: 'There is no access grant {id}: it may have been removed already.',
    error: '{text}',
  }),
} as const;
