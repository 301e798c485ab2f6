import { AccessError, defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { loginOf, type LoginDeps } from './login-of.js';

const keyBody = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      prefix: joi.string().required().description('First 11 characters of the key'),
      created: joi.string().required().description('yyyy-MM-dd, UTC').example('2026-06-15'),
      lastUsed: joi.string().required().description('yyyy-MM-dd HH:mm, UTC, or Never'),
      status: joi.string().valid('active', 'revoked').required(),
      usageToday: joi.number().integer().required(),
      usageMonth: joi.number().integer().required().description('The last 30 days'),
      usageTotal: joi.number().integer().required(),
    })
    .label('ApiKey');

const single = (joi: JoiRoot) => joi.object({ apiKey: joi.string().required() }).label('SingleKey');
const named = 'proprietary/ui-data/infrastructure/api-keys';

/** A demo account is shared by strangers: it keeps the key it has (`docs/interface/auth.yml`, roles). */
function keyHolder({ id, roles }: Principal): string {
  if (roles?.includes('ROLE_DEMO_USER') === true) throw new AccessError('DEMO_REFUSED');
  return id;
}

/** The API keys of the caller (`docs/interface/auth.yml`). */
export function apiKeyEndpoints(deps: LoginDeps): Endpoint[] {
  const access = { needsLogin: true } as const;
  const refused = ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'DEMO_REFUSED', 'LOGIN_REQUIRED'] as const;
  const user = { since: '1.0.0', tag: 'user', access };
  const keys = { since: '1.0.0', tag: 'api-keys', access };
  return [
    defineEndpoint({
      ...user,
      id: 'getApiKey',
      method: 'POST',
      path: 'user/get-api-key',
      summary: "Give the caller's API key",
      notes: 'It is made by the first call.',
      returns: { description: 'The key', json: single },
      errors: [...refused, 'NOT_FOUND'],
      handle: async ({ principal }) => ({ json: { apiKey: await loginOf(deps).keys.single(keyHolder(principal)) } }),
    }),
    defineEndpoint({
      ...user,
      id: 'updateApiKey',
      method: 'POST',
      path: 'user/update-api-key',
      summary: "Replace the caller's API key",
      notes: 'The old key stops working at once.',
      returns: { description: 'The new key', json: single },
      errors: [...refused],
      handle: async ({ principal }) => ({
        json: { apiKey: await loginOf(deps).keys.renewSingle(keyHolder(principal)) },
      }),
    }),
    defineEndpoint({
      ...keys,
      id: 'listApiKeys',
      method: 'GET',
      path: named,
      summary: "List the caller's API keys",
      notes: 'The single key is listed as `Default key`. Use is counted within five seconds of it.',
      returns: {
        description: 'The keys, revoked ones too',
        json: (joi) => joi.object({ keys: joi.array().items(keyBody(joi)).required() }).label('ApiKeys'),
      },
      errors: [...refused],
      handle: async ({ principal }) => ({ json: { keys: await loginOf(deps).keys.list(principal.id) } }),
    }),
    defineEndpoint({
      ...keys,
      id: 'createApiKey',
      method: 'POST',
      path: named,
      summary: 'Make a named API key',
      notes: 'The key is shown once, here. Fifty may be active.',
      request: {
        payload: (joi) => joi.object({ name: joi.string().trim().min(1).max(100).required().example('build server') }),
      },
      returns: {
        description: 'The key',
        json: (joi) =>
          joi
            .object({
              key: keyBody(joi).required(),
              secret: joi.string().required().description('sk_ and 40 hexadecimal digits'),
            })
            .label('NewApiKey'),
        links: [{ to: 'revokeApiKey', parameters: { id: '$response.body#/key/id' } }],
      },
      errors: ['INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', ...refused, 'KEY_LIMIT'],
      handle: async ({ payload, principal }) => ({
        json: await loginOf(deps).keys.create(keyHolder(principal), String(payload['name'])),
      }),
    }),
    defineEndpoint({
      ...keys,
      id: 'revokeApiKey',
      method: 'DELETE',
      path: `${named}/{id}`,
      summary: 'Revoke an API key',
      request: { params: (joi) => joi.object({ id: joi.string().max(100).required() }) },
      returns: { description: 'Revoked', status: 204 },
      errors: [...refused, 'NOT_FOUND'],
      handle: async ({ params, principal }) => {
        await loginOf(deps).keys.revoke(keyHolder(principal), params['id'] ?? '');
        return {};
      },
    }),
  ];
}
