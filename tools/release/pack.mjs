// npm run pack -- <folder>
// Builds, then packs every published package into the folder, as `npm publish` would upload it.
import '../node24.mjs';
import { packPackages } from './packages.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder for the tarballs: npm run pack -- <folder>');
  process.exit(2);
}
for (const { name, file, files } of packPackages(folder)) console.log(`${name}: ${file} (${files.length} files)`);
