export { Pictures, type Picture } from './pictures.js';
export { Profiles, type ProfileSource } from './profiles.js';
