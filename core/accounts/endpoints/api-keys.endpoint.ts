import { AccessError, InputError, defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { confirmField, forUsers } from './account-caller.js';
import { confirmCaller, confirmCodes, type ConfirmDeps } from './confirm-caller.js';
import { loginOf } from './login-of.js';

const keyBody = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      prefix: joi.string().required().description('First 11 characters of the key'),
      created: joi.string().required().description('yyyy-MM-dd, UTC').example('2026-06-15'),
      lastUsed: joi.string().required().description('yyyy-MM-dd HH:mm, UTC, or Never'),
      status: joi.string().valid('active', 'revoked', 'expired').required(),
      expires: joi.string().required().description('yyyy-MM-dd HH:mm, UTC, or Never'),
      categories: joi
        .array()
        .items(joi.string())
        .allow(null)
        .required()
        .description('Categories of calls that the key is limited to; null: all'),
      readOnly: joi.boolean().required().description('The key may only read (GET)'),
      usageToday: joi.number().integer().required(),
      usageMonth: joi.number().integer().required().description('Uses in the last 30 days'),
      usageTotal: joi.number().integer().required(),
    })
    .label('ApiKey');

const single = (joi: JoiRoot) => joi.object({ apiKey: joi.string().required() }).label('SingleKey');
const named = 'proprietary/ui-data/infrastructure/api-keys';
const access = forUsers;
const forSessions = { ...forUsers, needsSession: true, right: 'apiKeys' } as const;
const refused = ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'DEMO_REFUSED', 'LOGIN_REQUIRED'] as const;
const user = { since: '1.0.0', tag: 'user', access };
const keys = { since: '1.0.0', tag: 'api-keys', access };

export interface ApiKeyDeps extends ConfirmDeps {
  /** Categories that a key can be limited to. */
  categories(): readonly string[];
}

/** Strangers share demo accounts, so their keys cannot be changed (`docs/interface/auth.yml`, roles). */
function keyHolder({ id, roles }: Principal): string {
  if (roles?.includes('ROLE_DEMO_USER') === true) throw new AccessError('DEMO_REFUSED');
  return id;
}

interface NewKey {
  readonly name: string;
  readonly password?: string;
  readonly categories?: readonly string[];
  readonly readOnly: boolean;
  readonly expiresInDays?: number;
}

const newKey = (joi: JoiRoot) =>
  joi.object({
    name: joi.string().trim().min(1).max(100).required().example('build server'),
    password: confirmField(joi),
    categories: joi
      .array()
      .items(joi.string().max(60))
      .min(1)
      .max(50)
      .unique()
      .description('First parts of the paths that the key may call, such as general or convert; default: all'),
    readOnly: joi.boolean().default(false).description('The key may only send GET requests that change nothing'),
    expiresInDays: joi
      .number()
      .integer()
      .min(1)
      .max(3650)
      .description('Days until the key stops working; default: it does not'),
  });

/** Throws SESSION_REQUIRED for a call with another key than the single one itself. */
async function singleKey(deps: ApiKeyDeps, principal: Principal): Promise<string> {
  const holder = keyHolder(principal);
  const { keys: service } = loginOf(deps);
  const present = await service.existingSingle(holder);
  if (principal.via !== 'session' && (present === undefined || present.id !== principal.keyId))
    throw new AccessError('SESSION_REQUIRED');
  if (present !== undefined) return present.key;
  refuseWithoutRight(deps, principal);
  await confirmCaller(deps, principal, null);
  return service.single(holder);
}

/** The call that returns the key of the caller makes one if there is none. Throws RIGHTS_MISSING. */
function refuseWithoutRight(deps: ApiKeyDeps, principal: Principal): void {
  const { roles } = loginOf(deps);
  const what = roles.lack(principal, { right: 'apiKeys' }, { method: 'POST', tool: undefined });
  if (what === undefined) return;
  const [role = ''] = principal.roles ?? [];
  throw new AccessError('RIGHTS_MISSING', { role, title: roles.titleOf(role), what });
}

async function createKey(
  deps: ApiKeyDeps,
  { name, password, categories, readOnly, expiresInDays }: NewKey,
  principal: Principal,
): Promise<object> {
  const holder = keyHolder(principal);
  const unknown = categories?.find((category) => !deps.categories().includes(category));
  if (unknown !== undefined) {
    const detail = `"${unknown}" is not a category of this server; use ${deps.categories().join(', ')}`;
    throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/categories', detail }]);
  }
  await confirmCaller(deps, principal, password);
  return loginOf(deps).keys.create(holder, name, {
    ...(categories === undefined ? {} : { categories }),
    ...(readOnly ? { readOnly } : {}),
    expiresInDays,
  });
}

/** API keys of the caller (`docs/interface/auth.yml`). */
export function apiKeyEndpoints(deps: ApiKeyDeps): Endpoint[] {
  return [...singleKeyEndpoints(deps), ...namedKeyEndpoints(deps)];
}

function singleKeyEndpoints(deps: ApiKeyDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...user,
      id: 'getApiKey',
      method: 'POST',
      path: 'user/get-api-key',
      summary: 'Get your API key',
      notes:
        'The first call creates the key, which needs a session that began in the last minutes ' +
        '(security.recentLoginMinutes). With an API key, only this key itself is returned.',
      returns: { description: 'The API key', json: single },
      errors: [...refused, 'NOT_FOUND', 'SESSION_REQUIRED', 'RIGHTS_MISSING', ...confirmCodes],
      handle: async ({ principal }) => ({ json: { apiKey: await singleKey(deps, principal) } }),
    }),
    defineEndpoint({
      ...user,
      access: forSessions,
      id: 'updateApiKey',
      method: 'POST',
      path: 'user/update-api-key',
      summary: 'Replace your API key',
      notes:
        'The old key stops working at once. Needs a session that began in the last minutes ' +
        '(security.recentLoginMinutes).',
      returns: { description: 'The new API key', json: single },
      errors: [...refused, ...confirmCodes],
      handle: async ({ principal }) => {
        const holder = keyHolder(principal);
        await confirmCaller(deps, principal, null);
        return { json: { apiKey: await loginOf(deps).keys.renewSingle(holder) } };
      },
    }),
  ];
}

function namedKeyEndpoints(deps: ApiKeyDeps): Endpoint[] {
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
      access: forSessions,
      id: 'createApiKey',
      method: 'POST',
      path: named,
      summary: 'Create a named API key',
      notes: 'The key is returned only by this call. Fifty active keys are allowed.',
      request: { payload: newKey },
      returns: {
        description: 'The new API key',
        json: (joi) =>
          joi
            .object({
              key: keyBody(joi).required(),
              secret: joi.string().required().description('sk_ followed by 40 hexadecimal digits'),
            })
            .label('ApiKeyCreated'),
        links: [{ to: 'revokeApiKey', parameters: { id: '$response.body#/key/id' } }],
      },
      errors: ['INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', ...refused, ...confirmCodes, 'KEY_LIMIT'],
      handle: async ({ payload, principal }) => ({
        json: await createKey(deps, payload as unknown as NewKey, principal),
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
