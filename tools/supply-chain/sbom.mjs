// npm run sbom -- [file, default sbom.cdx.json]
// Writes a software bill of materials (CycloneDX 1.6, JSON): every npm package that is installed with the server and
// the Node runtime, with versions, SHA-512 digests, licences and what needs what. The same lock file gives the same
// bytes.
import '../node24.mjs';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { directNeeds, lockedPackages, root } from './locked-packages.mjs';

const target = resolve(process.argv[2] ?? join(root, 'sbom.cdx.json'));
// The product has the name of the package that is published, not that of the repository.
const own = JSON.parse(readFileSync(join(root, 'cli', 'package.json'), 'utf8'));
const runtime = JSON.parse(readFileSync(join(root, 'tools/runtime/node.json'), 'utf8'));
const packages = lockedPackages();
const ownRef = purlOf(own);

const content = {
  metadata: {
    component: {
      'bom-ref': ownRef,
      type: 'application',
      name: own.name,
      version: own.version,
      description: own.description,
      licenses: licencesOf(own.license),
      purl: ownRef,
    },
  },
  components: [
    ...packages.map((entry) => ({
      ...componentOf('library', entry, entry.optional ? 'optional' : 'required'),
      licenses: licencesOf(entry.licence),
    })),
    ...Object.values(runtime.packages).map((pin) => ({
      ...componentOf('platform', { ...pin, name: pin.package }, 'optional'),
      description: 'Node.js as fetched on machines without Node 24',
      licenses: licencesOf('MIT'),
    })),
  ],
  dependencies: [
    { ref: ownRef, dependsOn: directNeeds().map(refOf) },
    ...packages.map((entry) => ({ ref: purlOf(entry), dependsOn: entry.needs.map(refOf) })),
  ],
};
const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${uuidOf(digest)}`,
  version: 1,
  ...content,
};
writeFileSync(target, `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${target}: ${bom.components.length} components`);

function componentOf(type, { name, version, integrity }, scope) {
  const purl = purlOf({ name, version });
  return { 'bom-ref': purl, type, name, version, scope, purl, hashes: hashesOf(integrity) };
}

/** Returns the package URL (purl-spec, type npm). */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function refOf(id) {
  const at = id.lastIndexOf('@');
  return purlOf({ name: id.slice(0, at), version: id.slice(at + 1) });
}

/** Returns the digests of a Subresource Integrity value, which npm writes in base64, in hexadecimal. */
function hashesOf(integrity = '') {
  const names = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' };
  return integrity
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [algorithm, value] = [part.slice(0, part.indexOf('-')), part.slice(part.indexOf('-') + 1)];
      return { alg: names[algorithm], content: Buffer.from(value, 'base64').toString('hex') };
    });
}

/** A single licence is an SPDX id; several are an expression (SPDX 2.3, annex D). */
function licencesOf(licence) {
  if (licence === 'not declared') return [];
  if (/\b(?:OR|AND|WITH)\b/.test(licence)) return [{ expression: licence }];
  return [/^SEE LICEN[SC]E|\s/.test(licence) ? { license: { name: licence } } : { license: { id: licence } }];
}

/** Returns a UUID (RFC 9562, version 8: of our own making) for a digest, so that equal contents have equal names. */
function uuidOf(hex) {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
