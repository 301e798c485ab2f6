// Starts a server with the hostile plugin, calls it, and prints the layers and how each attempt ended, as JSON.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { field, file, json, post, send } from '../support/client.js';

const plugin = fileURLToPath(new URL('../../fixtures/hostile-plugin', import.meta.url));
const code = fileURLToPath(new URL('../../../core/dist', import.meta.url));
const isolation = process.argv[2]?.split(',');
const server = await createTestServer({
  plugins: [plugin],
  settings: isolation === undefined ? {} : { security: { isolation } },
});
const url = await server.start();
const text = file(Buffer.from('words'), 'a.txt');
const attack = await post(`${url}/api/v1/misc/hostile-attack`, [
  text,
  field('base', server.basePath),
  field('code', code),
  field('pid', String(process.pid)),
  field('port', new URL(url).port),
]);
const link = await post(`${url}/api/v1/misc/hostile-link`, [
  text,
  field('target', `${server.basePath}/configs/settings.yml`),
]);
const capabilities = json<{ isolation: string[] }>(await send(`${url}/api/v1/capabilities`));
const facts = {
  layers: capabilities.isolation,
  ends: JSON.parse(attack.body.toString()) as unknown,
  link: { status: link.status, body: link.body.toString() },
};
await server.stop();
// Without layers, the attack succeeds.
rmSync(join(code, 'planted.txt'), { force: true });
process.stdout.write(JSON.stringify(facts));
process.exit(0);
