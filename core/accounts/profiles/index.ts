export { Pictures } from './pictures.js';
export { Profiles, type ProfileSource } from './profiles.js';
