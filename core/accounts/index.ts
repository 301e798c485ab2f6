export * from './model.js';
export { openAccounts, type AccountServices, type AccountsDeps } from './accounts.js';
export type { InviteRecord, NewUser, TeamRecord } from './account-records.js';
export { MAX_INVITE_HOURS, isTellable, type InviteOrder } from './invites.js';
export { MAX_NAME, isMailAddress } from './names.js';
export { PASSWORD_LENGTH, randomPassword, usualCost, type PasswordCost } from './passwords.js';
export type { AccountOrder } from './user-administration.js';
export { openLogin, type LoginServices } from './login-services.js';
export { networkOf, Throttle, type ThrottleSettings } from './throttle.js';
