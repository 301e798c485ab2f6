import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import {
  accountsOf,
  callerOf,
  confirmField,
  forUserAdmins,
  forUsers,
  keepAskingSession,
  userAdminCodes,
  userParams,
  userCodes,
} from './account-caller.js';
import { checkActsUpon } from './act-upon.js';
import { confirmCaller, confirmCodes, type ConfirmDeps } from './confirm-caller.js';

const shared = { since: '1.0.0', tag: 'auth' };
const code = (joi: JoiRoot) =>
  joi.object({
    code: joi.string().max(20).required().description('6 digits from the authenticator app').example('123456'),
  });
/** Callers who must set up a second factor can do so. */
const duringSetup = { ...forUsers, needsSession: true, openBefore: ['secondFactor'] } as const;
const enabled = (joi: JoiRoot) => joi.object({ enabled: joi.boolean().required() }).label('SecondFactorState');

/** The second factor (`docs/interface/auth.yml`, `/api/v1/auth/mfa/`). */
export function mfaEndpoints(deps: ConfirmDeps): Endpoint[] {
  return [...setupEndpoints(deps), ...disableEndpoints(deps)];
}

function setupEndpoints(deps: ConfirmDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'setUpMfa',
      method: 'GET',
      path: 'auth/mfa/setup',
      access: duringSetup,
      summary: 'Start setting up a second factor (2FA)',
      notes: 'Each call creates a new secret, until a code for it is sent to `auth/mfa/enable`.',
      returns: {
        description: 'The secret, also as the content of a QR code',
        json: (joi) =>
          joi
            .object({ secret: joi.string().required().description('Base32'), otpauthUri: joi.string().required() })
            .label('SecondFactorSecret'),
      },
      errors: [...userCodes, 'MFA_WEB_ONLY', 'MFA_ALREADY_ON'],
      handle: async ({ principal }) => ({
        json: await accountsOf(deps).secondFactor.setup((await callerOf(deps, principal)).id),
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'enableMfa',
      method: 'POST',
      path: 'auth/mfa/enable',
      access: duringSetup,
      summary: 'Turn on the second factor',
      notes: 'Ends all your sessions except the one that sends the request.',
      request: { payload: (joi) => code(joi).keys({ password: confirmField(joi) }) },
      returns: { description: 'The second factor is on', json: enabled },
      errors: [...userCodes, ...confirmCodes, 'MFA_WEB_ONLY', 'MFA_ALREADY_ON', 'MFA_NOT_STARTED', 'MFA_CODE_INVALID'],
      handle: async ({ payload, principal }) => {
        const { id } = await callerOf(deps, principal);
        await confirmCaller(deps, principal, payload['password'] as string | undefined);
        const changed = await accountsOf(deps).secondFactor.enable(id, payload['code'] as string);
        await keepAskingSession(deps, principal, changed);
        return { json: { enabled: true } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'cancelMfaSetup',
      method: 'POST',
      path: 'auth/mfa/setup/cancel',
      access: duringSetup,
      summary: 'Cancel setting up a second factor',
      returns: {
        description: 'No second factor is being set up',
        json: (joi) => joi.object({ cleared: joi.boolean().required() }).label('SecondFactorCleared'),
      },
      errors: [...userCodes, 'MFA_ALREADY_ON'],
      handle: async ({ principal }) => {
        await accountsOf(deps).secondFactor.cancel((await callerOf(deps, principal)).id);
        return { json: { cleared: true } };
      },
    }),
  ];
}

function disableEndpoints(deps: ConfirmDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'disableMfa',
      method: 'POST',
      path: 'auth/mfa/disable',
      access: { ...forUsers, needsSession: true },
      summary: 'Turn off the second factor',
      notes: 'Ends all your sessions except the one that sends the request.',
      request: { payload: code },
      returns: { description: 'The second factor is off', json: enabled },
      errors: [...userCodes, 'MFA_CODE_INVALID', 'ATTEMPTS_USED_UP'],
      handle: async ({ payload, principal }) => {
        const { id } = await callerOf(deps, principal);
        const changed = await accountsOf(deps).secondFactor.disable(id, payload['code'] as string);
        await keepAskingSession(deps, principal, changed);
        return { json: { enabled: false } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'disableMfaOfUser',
      method: 'POST',
      path: 'auth/mfa/disable/admin/{username}',
      access: forUserAdmins,
      summary: 'Turn off the second factor of a user',
      notes: "Ends the user's sessions.",
      request: { params: userParams },
      returns: { description: 'The second factor is off', json: enabled },
      errors: [...userAdminCodes, 'USER_UNKNOWN', 'ACCOUNT_BUILT_IN'],
      handle: async ({ params, principal }) => {
        await checkActsUpon(deps, principal, params['username'] ?? '');
        const changed = await accountsOf(deps).administration.clearSecondFactor(params['username'] ?? '');
        await keepAskingSession(deps, principal, changed);
        return { json: { enabled: false } };
      },
    }),
  ];
}
