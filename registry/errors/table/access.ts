import { accessRow } from './row.js';

/** Authentication, authorisation and limits. */
export const accessErrors = {
  KEY_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Unauthorized',
    text: 'This server requires authentication. Send an API key in the X-API-KEY header.',
    textIf: {
      given: 'The API key in the X-API-KEY header is wrong, was revoked or has expired. Check it, or create a new key.',
    },
  }),
  TOKEN_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Unauthorized',
    text: 'The session token was rejected: {detail}. Log in again, or send an API key in the X-API-KEY header.',
  }),
  LOGIN_FAILED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Login failed',
    text: 'Invalid username or password.',
    error: '{text}',
  }),
  LOGIN_LOCKED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Account locked',
    text: 'This account is locked after too many failed logins. Try again later, or ask an administrator to unlock it.',
    textIf: {
      seconds:
        'This account is locked for your address after too many failed logins. Try again in {seconds} seconds, or ' +
        'ask an administrator to unlock it.',
    },
    retryable: true,
    error: '{text}',
  }),
  LOGIN_DISABLED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Account disabled',
    text: 'This account is disabled. Ask an administrator to enable it.',
    error: '{text}',
  }),
  LOGIN_METHOD_OFF: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Login method turned off',
    text: 'Login with a password is turned off on this server (security.loginMethod).',
    textIf: { passkey: 'Login with a passkey is turned off on this server (security.loginMethod).' },
    error: '{text}',
  }),
  ACCOUNT_DISABLED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Account disabled',
    text: 'This account is disabled or was deleted.',
    error: 'Forbidden',
  }),
  SESSION_REQUIRED: accessRow({
    status: 403,
    type: 'session-required',
    title: 'Session required',
    text:
      'An API key cannot do this. Log in (POST /api/v1/auth/login) and send the token in the Authorization header, ' +
      'without X-API-KEY.',
    error: 'session_required',
  }),
  PASSWORD_REQUIRED: accessRow({
    status: 403,
    type: 'password-required',
    title: 'Password required',
    text:
      'This change needs your password, because you logged in more than {minutes} minutes ago: send it in the field ' +
      '"password", or log in again and repeat the request.',
    textIf: {
      bodyless: 'You logged in more than {minutes} minutes ago. Log in again and repeat the request.',
    },
    error: 'password_required',
  }),
  KEY_SCOPE: accessRow({
    status: 403,
    type: 'key-scope',
    title: 'Not allowed with this key',
    text: 'This API key may not do this: {detail}. Use another key or a session.',
    error: 'key_scope',
  }),
  PASSWORD_CHANGE_REQUIRED: accessRow({
    status: 403,
    type: 'password-change-required',
    title: 'Password change required',
    text:
      'This account must change its password before it can do anything else: send currentPassword, newPassword and ' +
      'confirmPassword to POST /api/v1/user/change-password-on-login.',
    error: 'password_change_required',
  }),
  MFA_SETUP_REQUIRED: accessRow({
    status: 403,
    type: 'mfa-setup-required',
    title: 'Second factor required',
    text:
      'This account must set up a second factor before it can do anything else: log in, get a secret from GET ' +
      '/api/v1/auth/mfa/setup, and send a code of the authenticator app to POST /api/v1/auth/mfa/enable; or register ' +
      'a passkey and log in with it.',
    error: 'mfa_setup_required',
  }),
  SECOND_FACTOR_REQUIRED: accessRow({
    status: 403,
    type: 'second-factor-required',
    title: 'Second factor required',
    text:
      'This server requires a second factor for your role or network, and your login provider did not report one. ' +
      'Log out, and log in again with a second factor at the provider.',
  }),
  TOO_MANY_ATTEMPTS: accessRow({
    status: 429,
    type: 'too-many-attempts',
    title: 'Too many failed attempts',
    text: 'Too many wrong API keys came from this address. Wait {seconds} seconds; a valid key is always accepted.',
    textIf: {
      begun:
        'Too many logins with passkeys were begun from this address and not finished. Wait {seconds} seconds, then ' +
        'try again, or log in with the password.',
      reset: 'Too many password resets were tried from this address. Wait {seconds} seconds, then try again.',
      passkey: 'Too many logins with passkeys failed from this address. Wait {seconds} seconds, then try again.',
      account:
        'Too many wrong passwords for this account came from this address. Wait {seconds} seconds, then try again; ' +
        'other accounts can log in meanwhile.',
      password:
        'Too many wrong passwords came from this address. Wait {seconds} seconds, then try again; people who have ' +
        'logged in from here before can log in meanwhile.',
      links: 'Too many shared links were opened from this address. Wait {seconds} seconds, then try again.',
      link: 'Too many wrong passwords were tried for this link. Wait {seconds} seconds, then try again.',
    },
    retryable: true,
    error: '{text}',
  }),
  REFRESH_LIMIT: accessRow({
    status: 429,
    type: 'refresh-limit',
    title: 'Refreshed too often',
    text: 'This expired token was refreshed {attempts} times, which is the maximum. Log in again.',
    error: '{text}',
  }),
  REGISTRATION_LIMIT: accessRow({
    status: 429,
    type: 'registration-limit',
    title: 'Too many registrations',
    text:
      'You have registered {limit} accounts that are not enabled yet, which is the maximum. Ask an administrator to ' +
      'enable or delete them first.',
    error: '{text}',
  }),
  KEY_LIMIT: accessRow({
    status: 429,
    type: 'key-limit',
    title: 'Too many keys',
    text: 'There are already {limit} active API keys, which is the maximum. Revoke one first.',
    error: '{text}',
  }),
  HOST_REFUSED: accessRow({
    status: 421,
    type: 'host-refused',
    title: 'Host not served',
    text:
      'The request is addressed to "{host}". While login is off, this server answers only as localhost, at its own ' +
      'address, and by the names in the setting server.allowedHosts (SERVER_ALLOWEDHOSTS). Add the name there and ' +
      'restart the server, or turn login on (security.enableLogin).',
  }),
  CROSS_SITE_REFUSED: accessRow({
    status: 403,
    type: 'cross-site-refused',
    title: 'Request of another site',
    text:
      'The request was started by a page of another site ({site}). While login is off, such a page cannot change ' +
      'anything here: add its origin to the setting system.corsAllowedOrigins, or turn login on ' +
      '(security.enableLogin).',
    textIf: {
      login:
        'The request was started by a page of another site ({site}), which may not use a login that the browser ' +
        'adds by itself. If the page is yours, add its origin to the setting system.corsAllowedOrigins.',
    },
  }),
  BUILT_IN_REFUSED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not with the global API key',
    text:
      'The global API key (security.customGlobalAPIKey) acts as a built-in user, which has no account of its own: no ' +
      'password, personal API keys, second factor or registrations. Log in as a person, or send a personal API key.',
  }),
  ADMIN_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Administrators only',
    text: 'Only administrators can use this endpoint.',
  }),
  SHARED_ADMIN_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Administrators only',
    text: 'Only administrators can save or change shared signatures.',
  }),
  CONNECTION_REFUSED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not allowed for this connection',
    text: '{detail}.',
  }),
  JOB_FORBIDDEN: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not your job',
    text: 'You are not authorized to access this job.',
    textIf: {
      minutes:
        'You are not authorized to access this job: it belongs to another user, or it expired (results are kept ' +
        'for {minutes} minutes).',
    },
  }),
  OPERATION_DISABLED: accessRow({
    status: 403,
    type: 'endpoint-disabled',
    title: 'Operation turned off',
    text: '{operation} is turned off on this server.',
    textIf: { turnedOffBy: '{operation} is turned off on this server {turnedOffBy}.' },
  }),
  PASSWORD_WRONG: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Wrong password',
    text: 'The current password is wrong.',
    error: 'incorrectPassword',
  }),
  MFA_CODE_REQUIRED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Second factor required',
    text: 'Send the code of the authenticator app as well.',
    error: 'mfa_required',
  }),
  MFA_CODE_INVALID: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Wrong code',
    text: 'The code is wrong or was used before.',
    error: 'invalid_mfa_code',
  }),
  MFA_WEB_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Account without a password',
    text: 'This account logs in with an external provider; set up its second factor there.',
    error: '{text}',
  }),
  ATTEMPTS_USED_UP: accessRow({
    status: 429,
    type: 'too-many-attempts',
    title: 'Too many attempts',
    text: 'Too many wrong attempts; try again in {seconds} seconds.',
    retryable: true,
    error: '{text}',
  }),
  DEMO_REFUSED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Not for demo users',
    text: 'Demo users cannot change accounts or keep signatures.',
    error: '{text}',
  }),
  SWITCH_PINNED: accessRow({
    status: 409,
    type: 'conflict',
    title: 'Turned off by the environment',
    text: '{target} is turned off by the environment variable {variable}; change it there and restart the server.',
  }),
  FEATURE_OFF: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Turned off',
    text: 'This feature is turned off on this server: {setting}.',
  }),
  LINK_EXPIRED: accessRow({
    status: 404,
    type: 'not-found',
    title: 'Link expired',
    text: 'This link was used already, has expired or is incomplete. Ask for a new one.',
  }),
  WEBHOOK_SIGNATURE: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Signature wrong',
    text: 'The signature of the delivery was rejected: {detail}.',
  }),
  WEBHOOK_PAUSED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Webhook paused',
    text: 'The source of this webhook is disabled; enable it, then send the file again.',
  }),
  PIPELINE_READ_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'You may only run this pipeline',
    text: 'You may run this pipeline, but not see or change its definition. Ask its owner.',
  }),
  AUTOMATION_READ_ONLY: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'You may only run automations',
    text: 'Automations and sources are changed by administrators. Ask one to do it.',
  }),
  STORED_FILE_FORBIDDEN: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'No access to this file',
    text: '{detail}.',
  }),
  METRICS_OFF: accessRow({
    status: 403,
    type: 'metrics-off',
    title: 'Metrics turned off',
    text: 'Metrics are turned off on this server (metrics.enabled).',
  }),
  WEEKLY_USERS_OFF: accessRow({
    status: 404,
    type: 'not-found',
    title: 'Not found',
    text: 'Weekly users are counted only while login is off.',
  }),
  LICENCE_REQUIRED: accessRow({
    status: 404,
    type: 'not-found',
    title: 'Not found',
    text: 'There is nothing at this address.',
  }),
  LOGIN_REQUIRED: accessRow({
    status: 404,
    type: 'not-found',
    title: 'Not found',
    text: 'This endpoint exists only while login is on.',
  }),
  LICENCE_TOO_LOW: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Licence too low',
    text: 'This endpoint needs the {licence} licence.',
  }),
  FEATURE_DEGRADED: accessRow({
    status: 402,
    type: 'payment-required',
    title: 'Not included in the plan',
    text: 'Your plan does not include this: {gates}.',
  }),
  SIGNUP_REQUIRED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Account required',
    text: 'This needs an account. Sign up, or send an API key in the X-API-KEY header.',
  }),
  DAILY_LIMIT_REACHED: accessRow({
    status: 429,
    type: 'daily-limit',
    title: 'Daily limit reached',
    text: 'Your {kind} calls for today are used up; try again in {seconds} seconds.',
  }),
  PAYG_LIMIT_REACHED: accessRow({
    status: 402,
    type: 'payment-required',
    title: 'Limit reached',
    text: 'The credits or the spend cap are used up.',
  }),
  ACCOUNT_LINK_REQUIRED: accessRow({
    status: 402,
    type: 'payment-required',
    title: 'Allowance used up',
    text: 'The processing allowance of this server is used up.',
  }),
  LANGUAGE_FOLDER_CLOSED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Language folder not writable',
    text: 'The folder of OCR language data on the server cannot be written; nothing was downloaded.',
    error: '{text}',
  }),
} as const;
