export { type Damage, findDamage } from './find-damage.js';
export { pageList } from './page-list.js';
export { replaceDamagedStreams } from './replace-streams.js';
export { searchFile } from './search-file.js';
