// npm run automations:test [-- --files 300 --faults kill,store --stores embedded,cluster --feed-seconds 30
// --harm-seconds 0 --routes folder-to-folder,s3-to-mail --page docs/reports/reliability.md --keep --count]
//
// Puts files into every kind of source, which automations deliver to every kind of destination, while the server is
// killed, stores and other servers are away, disks are full and clocks jump. Each file must end once.
import { parseArgs } from 'node:util';
import { faults, type Fault } from './phases.js';
import { routeNames } from './places.js';
import { isClean, tableOf, writeTable } from './report.js';
import { runAutomationTest, type AutomationTestRun, type StoreKind } from './run-automations.js';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '300' },
    faults: { type: 'string', default: Object.keys(faults).join(',') },
    stores: { type: 'string', default: 'embedded,cluster' },
    routes: { type: 'string', default: routeNames.join(',') },
    'feed-seconds': { type: 'string', default: '20' },
    'harm-seconds': { type: 'string', default: '0' },
    'patience-seconds': { type: 'string', default: '300' },
    page: { type: 'string' },
    keep: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
  },
});
const chosen = values.faults.split(',').map((name) => {
  if (name in faults) return name as Fault;
  throw new Error(`--faults: unknown fault ${JSON.stringify(name)}; known are ${Object.keys(faults).join(', ')}`);
});
const stores = values.stores.split(',').map((name): StoreKind => {
  if (name === 'embedded' || name === 'cluster') return name;
  throw new Error(`--stores: unknown store ${JSON.stringify(name)}; known are embedded and cluster`);
});
const routes = values.routes.split(',');
const unknown = routes.find((name) => !routeNames.includes(name));
if (unknown !== undefined)
  throw new Error(`--routes: unknown route ${JSON.stringify(unknown)}; known are ${routeNames.join(', ')}`);
const began = performance.now();
const runs: AutomationTestRun[] = [];
for (const store of stores)
  runs.push(
    await runAutomationTest({
      store,
      faults: chosen,
      routes,
      files: Number(values.files),
      feedMs: Number(values['feed-seconds']) * 1000,
      harmMs: Number(values['harm-seconds']) * 1000,
      patienceMs: Number(values['patience-seconds']) * 1000,
      keep: values.keep,
      count: values.count,
      say: (text) =>
        void process.stdout.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}\n`),
    }),
  );
process.stdout.write(`${tableOf(runs)}\n`);
if (values.page !== undefined) await writeTable(values.page, runs);
process.exitCode = runs.every(isClean) ? 0 : 1;
