export { profileById, profileOf, profiles, type Profile, type ProfileId } from './profiles.js';
