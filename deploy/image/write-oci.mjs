// node deploy/image/write-oci.mjs <layout> --name <variant> --arch <amd64|arm64> <layer.tar>…
// Adds an image to an OCI image layout (OCI Image Specification 1.1): `<variant>-<arch>`, and `<variant>` as an index
// of all architectures that the layout has. The same layers give the same digests: SOURCE_DATE_EPOCH sets the date.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { imageConfig } from './image-config.mjs';

const TYPE = 'application/vnd.oci.image';
const NAME = 'org.opencontainers.image.ref.name';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: 'string' }, arch: { type: 'string' } },
});
const [layout, ...layers] = positionals;
if (layout === undefined || layers.length === 0 || values.name === undefined || values.arch === undefined) {
  console.error('usage: node deploy/image/write-oci.mjs <layout> --name <variant> --arch <architecture> <layer.tar>…');
  process.exit(2);
}
const blobs = join(layout, 'blobs', 'sha256');
const created = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000).toISOString();

mkdirSync(blobs, { recursive: true });
const written = [];
for (const layer of layers) written.push(await writeLayer(layer));
const manifest = writeManifest(written);
writeIndex(manifest);
const bytes = written.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
console.log(`${values.name}-${values.arch}: ${manifest.digest}, ${(bytes / 1e6).toFixed(0)} MB compressed`);

/** Compresses a layer; returns its descriptor and the digest of the uncompressed archive. */
async function writeLayer(file) {
  const [plain, packed] = [meter(), meter()];
  const scratch = join(blobs, `new-${process.pid}`);
  await pipeline(createReadStream(file), plain, createGzip(), packed, createWriteStream(scratch));
  renameSync(scratch, join(blobs, packed.digest()));
  const descriptor = {
    mediaType: `${TYPE}.layer.v1.tar+gzip`,
    digest: `sha256:${packed.digest()}`,
    size: packed.size(),
  };
  return { descriptor, diffId: `sha256:${plain.digest()}` };
}

function writeManifest(written) {
  const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const config = {
    created,
    architecture: values.arch,
    os: 'linux',
    config: {
      ...imageConfig(readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8')),
      Labels: {
        'org.opencontainers.image.title': 'Quire',
        'org.opencontainers.image.version': own.version,
        'org.opencontainers.image.licenses': own.license,
      },
    },
    rootfs: { type: 'layers', diff_ids: written.map(({ diffId }) => diffId) },
    history: written.map(() => ({ created, created_by: 'deploy/image/build-image.sh' })),
  };
  return writeBlob(`${TYPE}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: writeBlob(`${TYPE}.config.v1+json`, config),
    layers: written.map(({ descriptor }) => descriptor),
  });
}

/** Names the image, and writes the index of its variant again with the images of the other architectures. */
function writeIndex(manifest) {
  const file = join(layout, 'index.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).manifests : [];
  const single = `${values.name}-${values.arch}`;
  const named = (name, descriptor) => ({ ...descriptor, annotations: { [NAME]: name } });
  const platform = { architecture: values.arch, os: 'linux' };
  const images = [
    ...before.filter(({ annotations }) => ![single, values.name].includes(annotations[NAME])),
    named(single, { ...manifest, platform }),
  ];
  const ofVariant = images.filter(({ annotations }) => annotations[NAME].startsWith(`${values.name}-`));
  const index = writeBlob(`${TYPE}.index.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: ofVariant.map(({ annotations: _name, ...descriptor }) => descriptor),
  });
  writeFileSync(file, JSON.stringify({ schemaVersion: 2, manifests: [...images, named(values.name, index)] }));
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

function writeBlob(mediaType, content) {
  const text = JSON.stringify(content);
  const digest = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(blobs, digest), text);
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}

/** A stream that passes bytes on, with their digest and number. */
function meter() {
  const hash = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  let digest;
  return Object.assign(stream, { digest: () => (digest ??= hash.digest('hex')), size: () => size });
}
