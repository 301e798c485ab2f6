// node deploy/image/run-healthcheck.mjs <layout> <image> <command that runs inside the container>…
// Runs the health check that the image names, as Docker does, and prints "healthy" or "unhealthy".
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [layout, name, command, ...inside] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(join(layout, path), 'utf8'));
const blob = ({ digest }) => json(join('blobs', ...digest.split(':')));
const image = json('index.json').manifests.find(
  ({ annotations }) => annotations['org.opencontainers.image.ref.name'] === name,
);
const [, ...test] = blob(blob(image).config).config.Healthcheck.Test;
const { status } = spawnSync(command, [...inside, ...test], { stdio: 'ignore' });
console.log(status === 0 ? 'healthy' : 'unhealthy');
