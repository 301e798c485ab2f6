export { rgbOutputProfile } from './rgb-output-profile.js';
export { srgbProfile } from './srgb-profile.js';
