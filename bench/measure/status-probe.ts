// Runs in another process, so that the load generator's event loop does not distort the times.
import { Client } from './client.js';
import { timed } from './statistics.js';

const client = new Client(process.argv[2] ?? '');
const found: number[] = [];
let running = true;
process.on('message', () => {
  running = false;
});
await client.get('/api/v1/info/status');
process.send?.('ready');
while (running) {
  found.push(await timed(() => client.get('/api/v1/info/status')));
  await new Promise((resolve) => setTimeout(resolve, 10));
}
client.close();
process.send?.(found, () => process.exit(0));
