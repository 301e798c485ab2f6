import type { Endpoint } from '@quire/registry';
import { apiKeyEndpoints, type ApiKeyDeps } from './api-keys.endpoint.js';
import { inviteUsers } from './invite-users.endpoint.js';
import { inviteEndpoints, type InviteDeps } from './invites.endpoint.js';
import { loginAgreementEndpoints, type LoginAgreementDeps } from './login-agreement.endpoint.js';
import { loginEndpoints, type LoginEndpointDeps } from './login.endpoint.js';
import { mfaEndpoints } from './mfa.endpoint.js';
import { passkeyLoginEndpoints } from './passkey-login.endpoint.js';
import { passkeyEndpoints, type PasskeyDeps } from './passkeys.endpoint.js';
import { passwordResetEndpoints, type PasswordResetDeps } from './password-reset.endpoint.js';
import { pictureEndpoints } from './pictures.endpoint.js';
import { sessionEndpoints } from './sessions.endpoint.js';
import { teamEndpoints } from './teams.endpoint.js';
import { userAdminEndpoints, type UserAdminDeps } from './user-admin.endpoint.js';
import { userEndpoints, type UsersDeps } from './users.endpoint.js';

export { accountsOf, adminCodes, forAdmins, forUserAdmins, forUsers, idField, userCodes } from './account-caller.js';
export { languageHints } from './account-mails.js';
export { isLocalLoginOn } from './login-of.js';
export { profileFields } from './profile-fields.js';
export { sessionBody, sessionFor } from './session-answer.js';
export { isPasswordResetOn } from './password-reset.endpoint.js';
export { loginDisclaimer } from './login-disclaimer.js';
export type AccountEndpointDeps = ApiKeyDeps &
  InviteDeps &
  LoginAgreementDeps &
  LoginEndpointDeps &
  PasskeyDeps &
  PasswordResetDeps &
  UserAdminDeps &
  UsersDeps;

export function accountEndpoints(deps: AccountEndpointDeps): Endpoint[] {
  return [
    ...loginEndpoints(deps),
    ...sessionEndpoints(deps),
    ...apiKeyEndpoints(deps),
    ...mfaEndpoints(deps),
    ...passkeyEndpoints(deps),
    ...passkeyLoginEndpoints(deps),
    ...userEndpoints(deps),
    ...pictureEndpoints(deps),
    ...userAdminEndpoints(deps),
    inviteUsers(deps),
    ...teamEndpoints(deps),
    ...inviteEndpoints(deps),
    ...passwordResetEndpoints(deps),
    ...loginAgreementEndpoints(deps),
  ];
}
