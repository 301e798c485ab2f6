export { profileById, profileOf, profiles, type Profile, type ProfileId } from './profiles.js';
export { FACTUR_X_ROOT, type FacturXElement, facturXTypes } from './factur-x-types.js';
