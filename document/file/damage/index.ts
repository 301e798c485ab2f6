export { type Damage, findDamage } from './find-damage.js';
export { replaceDamagedStreams } from './replace-streams.js';
export { searchFile } from './search-file.js';
