// Writes THIRD_PARTY_NOTICES.md: every npm package that is installed with the server, with its licence.
// `--check` fails when the file does not match package-lock.json.
import '../node24.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackages, root } from './locked-packages.mjs';

const target = join(root, 'THIRD_PARTY_NOTICES.md');
const rows = lockedPackages().map(
  ({ name, version, licence }) => `| [${name}](https://www.npmjs.com/package/${name}) | ${version} | ${licence} |`,
);
const text = `# Third-party notices

Packages that npm installs with the server. Each comes with its licence text in its folder under \`node_modules\`.
Generated from package-lock.json by \`npm run notices\`; \`npm run sbom\` writes the same list as a CycloneDX document.
Programs that the server can run (LibreOffice, Ghostscript, veraPDF and others) are not part of it and are not linked.

| Package | Version | Licence |
|---|---|---|
${rows.join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('THIRD_PARTY_NOTICES.md does not match package-lock.json; run: npm run notices');
  process.exitCode = 1;
}
