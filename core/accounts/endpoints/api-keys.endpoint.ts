import { AccessError, defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { forUsers } from './account-caller.js';
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
      usageMonth: joi.number().integer().required().description('Uses in the last 30 days'),
      usageTotal: joi.number().integer().required(),
    })
    .label('ApiKey');

const single = (joi: JoiRoot) => joi.object({ apiKey: joi.string().required() }).label('SingleKey');
const named = 'proprietary/ui-data/infrastructure/api-keys';
const access = forUsers;
const refused = ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'DEMO_REFUSED', 'LOGIN_REQUIRED'] as const;
const user = { since: '1.0.0', tag: 'user', access };
const keys = { since: '1.0.0', tag: 'api-keys', access };

/** Strangers share demo accounts, so their keys cannot be changed (`docs/interface/auth.yml`, roles). */
function keyHolder({ id, roles }: Principal): string {
  if (roles?.includes('ROLE_DEMO_USER') === true) throw new AccessError('DEMO_REFUSED');
  return id;
}

/** API keys of the caller (`docs/interface/auth.yml`). */
export function apiKeyEndpoints(deps: LoginDeps): Endpoint[] {
  return [...singleKeyEndpoints(deps), ...namedKeyEndpoints(deps)];
}

function singleKeyEndpoints(deps: LoginDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...user,
      id: 'getApiKey',
      method: 'POST',
      path: 'user/get-api-key',
      summary: 'Get your API key',
      notes: 'The first call creates the key.',
      returns: { description: 'The API key', json: single },
      errors: [...refused, 'NOT_FOUND'],
      handle: async ({ principal }) => ({ json: { apiKey: await loginOf(deps).keys.single(keyHolder(principal)) } }),
    }),
    defineEndpoint({
      ...user,
      id: 'updateApiKey',
      method: 'POST',
      path: 'user/update-api-key',
      summary: 'Replace your API key',
      notes: 'The old key stops working at once.',
      returns: { description: 'The new API key', json: single },
      errors: [...refused],
      handle: async ({ principal }) => ({
        json: { apiKey: await loginOf(deps).keys.renewSingle(keyHolder(principal)) },
      }),
    }),
  ];
}

function namedKeyEndpoints(deps: LoginDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...keys,
      id: 'listApiKeys',
      method: 'GET',
      path: named,
      summary: 'List your API keys',
      notes: 'The main key is listed as `Default key`. Usage counts may be five seconds old.',
      returns: {
        description: 'All keys, including revoked ones',
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
      summary: 'Create a named API key',
      notes: 'The key is returned only by this call. Fifty active keys are allowed.',
      request: {
        payload: (joi) => joi.object({ name: joi.string().trim().min(1).max(100).required().example('build server') }),
      },
      returns: {
        description: 'The new API key',
        json: (joi) =>
          joi
            .object({
              key: keyBody(joi).required(),
              secret: joi.string().required().description('sk_ followed by 40 hexadecimal digits'),
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
