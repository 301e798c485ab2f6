// Writes THIRD_PARTY_NOTICES.md: every npm package that is installed with the server, with its licence.
// `--check` fails when the file does not match package-lock.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'THIRD_PARTY_NOTICES.md');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const found = new Map();
for (const [path, entry] of Object.entries(packages)) {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0 || entry.link === true || entry.dev === true || entry.devOptional === true) continue;
  const name = path.slice(at + 'node_modules/'.length);
  found.set(`${name}@${entry.version}`, { name, version: entry.version, licence: entry.license ?? licenceOf(path) });
}

/** Older packages state their licence only in their own package.json. */
function licenceOf(path) {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return 'not declared';
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'not declared';
}

const rows = [...found.values()]
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
  .map(
    ({ name, version, licence }) => `| [${name}](https://www.npmjs.com/package/${name}) | ${version} | ${licence} |`,
  );
const text = `# Third-party notices

Packages that npm installs with the server. Each comes with its licence text in its folder under \`node_modules\`.
Generated from package-lock.json by \`npm run notices\`. Programs that the server can run
(LibreOffice, Ghostscript, veraPDF and others) are not part of it and are not linked.

| Package | Version | Licence |
|---|---|---|
${rows.join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('THIRD_PARTY_NOTICES.md does not match package-lock.json; run: npm run notices');
  process.exitCode = 1;
}
