export { type Damage, findDamage, type FindOptions } from './find-damage.js';
export { replaceDamagedStreams } from './replace-streams.js';
