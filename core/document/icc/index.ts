export { srgbProfile } from './srgb-profile.js';
