import { accessRow, inputRow, operationalRow } from './row.js';

/** Provisioning by SCIM. The bodies of these errors are those of RFC 7644, 3.12. */
export const scimErrors = {
  SCIM_FILTER_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Filter not understood',
    text: 'The filter cannot be parsed at character {position}: {detail}.',
  }),
  SCIM_PATH_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Path not understood',
    text: 'The path "{path}" cannot be parsed: {detail}.',
  }),
  SCIM_NO_TARGET: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Nothing to change',
    text: 'Operation {operation}: {detail}.',
  }),
  SCIM_SYNTAX_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Request not understood',
    text: 'The request cannot be parsed: {detail}.',
  }),
  SCIM_VALUE_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Invalid value',
    text: 'The attribute "{attribute}" is not valid: {detail}.',
  }),
  SCIM_READ_ONLY: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Read-only attribute',
    text: 'The attribute "{attribute}" is read-only: {detail}.',
  }),
  SCIM_TAKEN: inputRow({
    status: 409,
    type: 'conflict',
    title: 'Already in use',
    text: 'The {attribute} is in use: {detail}.',
  }),
  SCIM_CHANGED: inputRow({
    status: 412,
    type: 'conflict',
    title: 'Changed meanwhile',
    text: 'The resource was changed meanwhile. Read it again and repeat the change.',
  }),
  SCIM_UNKNOWN: inputRow({
    status: 404,
    type: 'not-found',
    title: 'No such resource',
    text: 'There is no {resource} with the id "{id}".',
  }),
  SCIM_TOKEN_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Token refused',
    text: 'Send the token of the setting scim.token: Authorization: Bearer <token>.',
    textIf: {
      wrong: 'The bearer token is not that of the setting scim.token.',
      unset: 'No token is set (scim.token), so every call is refused.',
    },
  }),
  SCIM_DISCOVERY_FILTER: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not filtered',
    text: 'This address does not support filters: leave out "filter".',
  }),
  SCIM_UNSUPPORTED: operationalRow({
    status: 501,
    type: 'not-supported',
    title: 'Not supported',
    text: '{detail}.',
  }),
} as const;
