export * from './model.js';
export { openAccounts, type AccountServices } from './accounts.js';
export type { InviteRecord } from './account-records.js';
export { MAX_INVITE_HOURS, isTellable } from './invites.js';
export { MAX_NAME, isMailAddress } from './names.js';
export { PASSWORD_LENGTH, randomPassword, type PasswordCost } from './passwords.js';
export { openLogin, type LoginServices } from './login-services.js';
export { networkOf, Throttle } from './throttle.js';
export { MAX_REGISTRATIONS } from './users.js';
