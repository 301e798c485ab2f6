import { accessRow } from './row.js';

/** Credentials that another server has made: access tokens, certificates and headers of a proxy. */
export const machineErrors = {
  ACCESS_TOKEN_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Unauthorized',
    text: 'This address needs an access token of the authorization server (Authorization: Bearer …).',
    textIf: { detail: 'The access token was rejected: {detail}. Get a new one from the authorization server.' },
    error: 'unauthorized',
  }),
  ACCESS_TOKEN_ACCOUNT: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'No account for this token',
    text: 'The access token is valid, but {detail}.',
    error: 'insufficient_account',
  }),
  ACCESS_TOKEN_UNKNOWN: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'No account for this token',
    text: 'The access token is valid, but {detail}. Ask an administrator of this server.',
    error: 'unauthorized',
  }),
  ACCESS_TOKEN_SCOPE: accessRow({
    status: 403,
    type: 'token-scope',
    title: 'Not allowed with this token',
    text: 'The access token may not do this: {detail}. Get one with another scope from the authorization server.',
    error: 'insufficient_scope',
  }),
  CLIENT_CERTIFICATE_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Unauthorized',
    text: 'The client certificate was refused: {detail}. Ask an administrator of this server.',
    error: 'unauthorized',
  }),
  PROXY_LOGIN_FAILED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Login failed',
    text: 'The proxy in front of this server sent no user name, or its login was rejected. Ask an administrator.',
    error: '{text}',
  }),
} as const;
