import { createHash } from 'node:crypto';
import { defineEndpoint, InputError, type Endpoint, type EndpointRequest, type Principal } from '@quire/registry';
import type { User } from '../index.js';
import { accountsOf, callerOf, forUsers, idField, messageAnswer, userCodes } from './account-caller.js';
import { loginOf } from './login-of.js';
import { listsEverybody, type UsersDeps } from './users.endpoint.js';

const shared = { since: '1.7.0', tag: 'user' } as const;
/** Of a picture that was asked for by its version, which never changes; seconds. */
const KEEP_SECONDS = 86_400;

/** Pictures of users, which the server has fetched from login providers. */
export function pictureEndpoints(deps: UsersDeps): Endpoint[] {
  return [read(deps), choose(deps)];
}

function read(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'getUserPicture',
    method: 'GET',
    path: 'user/pictures/{id}',
    summary: 'Get the picture of a user',
    notes:
      'Of yourself, and of those whom `listUsers` shows you; of everybody for those who administer users. The answer ' +
      'has an ETag: send it as If-None-Match, and an unchanged picture is answered by 304.',
    access: forUsers,
    request: {
      params: (joi) => joi.object({ id: idField(joi).required().description('Id of the user') }),
      query: (joi) =>
        joi.object({ version: joi.string().max(50).description('`pictureVersion`; lets browsers keep the picture') }),
    },
    returns: {
      description: 'PNG, JPEG, GIF or WebP',
      mediaType: 'application/octet-stream',
      also: { 304: { description: 'Not changed' } },
    },
    errors: ['KEY_INVALID', 'LOGIN_REQUIRED', 'STORE_DOWN', 'USER_UNKNOWN', 'NOT_FOUND'],
    handle: async (request) => {
      const { profiles, users } = accountsOf(deps);
      const caller = await users.byId(request.principal.id);
      const user = await users.byId(String(request.params['id']));
      if (caller === undefined) throw new InputError('USER_UNKNOWN');
      // One answer for everything, so that nobody finds out which accounts there are.
      if (user === undefined || !maySee(deps, request.principal, caller, user)) throw new InputError('NOT_FOUND');
      const picture = await profiles.pictures.get(user.id);
      if (picture === undefined) throw new InputError('NOT_FOUND');
      const { mediaType, bytes, version } = picture;
      const headers = { ...cacheHeaders(request, version), vary: 'authorization, x-api-key' };
      if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers };
      return {
        file: { name: `picture.${mediaType.slice('image/'.length)}`, mediaType, bytes, disposition: 'inline' },
        headers: { ...headers, 'content-security-policy': "sandbox; default-src 'none'" },
      };
    },
  });
}

function choose(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'changeOwnPicture',
    method: 'PUT',
    path: 'user/picture',
    summary: 'Remove your picture, or let your login provider bring it again',
    notes: 'A removed picture stays away, also at later logins.',
    access: forUsers,
    request: {
      payload: (joi) =>
        joi.object({
          fromProvider: joi
            .boolean()
            .strict()
            .required()
            .example(false)
            .description('false: remove it; true: the next login with a provider brings it'),
        }),
    },
    returns: { description: 'Done', json: messageAnswer },
    errors: [...userCodes, 'INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE'],
    handle: async ({ principal, payload: { fromProvider } }) => {
      const { id } = await callerOf(deps, principal);
      await accountsOf(deps).profiles.pictures.want(id, fromProvider === true);
      const message = fromProvider === true ? 'Your next login with a provider brings the picture' : 'Picture removed';
      return { json: { message } };
    },
  });
}

/** Whom `listUsers` shows, and everybody for those who administer users. */
function maySee(deps: UsersDeps, principal: Principal, caller: User, user: User): boolean {
  const { roles, accounts } = loginOf(deps);
  const { areas } = roles.rightsOf(principal);
  if (caller.id === user.id || areas === null || areas.includes('users')) return true;
  if (listsEverybody(deps)) return user.enabled;
  const { teams } = accounts;
  return user.enabled && caller.teamId === user.teamId && !teams.isSystem(caller.teamId);
}

function cacheHeaders({ query }: EndpointRequest, version: string): { etag: string; 'cache-control': string } {
  const etag = `"${createHash('sha256').update(version).digest('base64url').slice(0, 16)}"`;
  const keeps = query['version'] === version ? `private, max-age=${KEEP_SECONDS}` : 'private, no-cache';
  return { etag, 'cache-control': keeps };
}
