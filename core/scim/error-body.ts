import type { ErrorCode, QuireError } from '@quire/registry';
import type { ErrorForm } from '../http/response/index.js';
import { SCIM_PATH } from './scim-call.js';

/** Media type of requests and answers (RFC 7644, 3.1). */
export const SCIM_TYPE = 'application/scim+json';

/** Words for programs (RFC 7644, 3.12). */
const types: Partial<Readonly<Record<ErrorCode, string>>> = {
  SCIM_FILTER_INVALID: 'invalidFilter',
  SCIM_PATH_INVALID: 'invalidPath',
  SCIM_NO_TARGET: 'noTarget',
  SCIM_SYNTAX_INVALID: 'invalidSyntax',
  INPUT_MALFORMED: 'invalidSyntax',
  SCIM_VALUE_INVALID: 'invalidValue',
  INPUT_INVALID: 'invalidValue',
  USER_CAP_REACHED: 'invalidValue',
  ACCOUNT_LAST_ADMIN: 'mutability',
  SCIM_READ_ONLY: 'mutability',
  SCIM_TAKEN: 'uniqueness',
};

/** Errors below `/scim/v2`, of the server itself too, have the form of SCIM. */
export const scimErrorForm: ErrorForm = {
  below: SCIM_PATH,
  mediaType: SCIM_TYPE,
  bodyOf: (error: QuireError, { status, detail }) => {
    const scimType = types[error.code];
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail,
    };
  },
};
