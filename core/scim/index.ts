export { createScim } from './create-scim.js';
export { createScimLogin } from './create-scim-login.js';
