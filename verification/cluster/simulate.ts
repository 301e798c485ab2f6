// npm run cluster:simulate [-- --seconds-per-job 1 --places 4 --file-mb 2 --polls 3 --store-operations 20000 --store-mb
// 500 --page docs/guides/several-machines.md]
//
// Shows how jobs per second grew with 1 to 4 worker nodes, and estimates the load of 10, 100 and 1000 nodes on one
// store from the measured cost of a job (measured.json), and the resource that runs out first.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { burdens, nodesUntilFull, type MeasuredCost, type StoreCapacity } from './cost-model.js';

const { values } = parseArgs({
  options: {
    'seconds-per-job': { type: 'string', default: '1' },
    places: { type: 'string', default: '4' },
    'file-mb': { type: 'string', default: '2' },
    polls: { type: 'string', default: '3' },
    'store-operations': { type: 'string', default: '20000' },
    'store-mb': { type: 'string', default: '500' },
    'store-connections': { type: 'string', default: '20000' },
    'store-claims': { type: 'string', default: '2000' },
    page: { type: 'string' },
  },
});
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${String(values[name])}`);
  return value;
};

const measured = JSON.parse(
  await readFile(fileURLToPath(new URL('measured.json', import.meta.url)), 'utf8'),
) as MeasuredCost & { readonly date: string; readonly growth: readonly { nodes: number; ofLinear: number }[] };
const capacity: StoreCapacity = {
  operationsPerSecond: number('store-operations'),
  bytesPerSecond: number('store-mb') * 1e6,
  connections: number('store-connections'),
  claimsPerSecond: number('store-claims'),
};
const load = {
  jobsPerNodeSecond: number('places') / number('seconds-per-job'),
  fileBytes: number('file-mb') * 1e6,
  pollsPerJob: number('polls'),
};
const round = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2));

const lines = [
  `Measured (${measured.date}): a job costs ${round(measured.operationsPerJob)} commands and ` +
    `${round(measured.bytesPerJob / 1000)} kB, and each byte of its files crosses the network ` +
    `${measured.fileCrossings} times; an idle node sends ${round(measured.idleOperationsPerSecond)} commands/s; ` +
    `a poll costs ${round(measured.operationsPerPoll)} commands.`,
  `Assumed: ${values.places} concurrent jobs per node; ${values['seconds-per-job']} s, ${values['file-mb']} MB ` +
    `(uploads and results together) and ${values.polls} polls per job; a store that handles ` +
    `${round(capacity.operationsPerSecond)} commands/s, ${round(capacity.bytesPerSecond / 1e6)} MB/s, ` +
    `${round(capacity.connections)} connections and ${round(capacity.claimsPerSecond)} queue rows/s.`,
  'Jobs per second of worker nodes, as a part of so many times one node, with jobs that only wait 200 ms: ' +
    `${measured.growth.map(({ nodes, ofLinear }) => `${ofLinear.toFixed(2)} on ${nodes}`).join(', ')}.`,
  '',
  '| Nodes | Jobs/s | Commands/s | MB/s | Connections | Queue rows/s | First to run out |',
  '|--:|--:|--:|--:|--:|--:|---|',
];
for (const nodes of [10, 100, 1000]) {
  const all = burdens(measured, { ...load, nodes }, capacity);
  const cell = (what: string): string => {
    const found = all.find((burden) => burden.what === what);
    return found === undefined ? '' : `${round(found.demand)} (${Math.round((100 * found.demand) / found.capacity)} %)`;
  };
  const [first] = all;
  const enough = first === undefined || first.demand <= first.capacity;
  lines.push(
    `| ${nodes} | ${round(nodes * load.jobsPerNodeSecond)} | ${cell('commands')} | ` +
      `${cell('bytes over the wire')} | ${cell('connections')} | ${cell('rows taken from the queue')} | ` +
      `${enough ? `nothing yet; ${first?.what ?? ''} next` : `**${first.what}**`} |`,
  );
}
const [first] = burdens(measured, { ...load, nodes: 1000 }, capacity);
lines.push(
  '',
  `The first bottleneck: ${first?.what ?? ''}, at ${nodesUntilFull(measured, load, capacity)} busy nodes. ` +
    `Remedy: ${first?.remedy ?? ''}.`,
);
for (const { what, demand, capacity: most, remedy } of burdens(measured, { ...load, nodes: 1000 }, capacity).slice(1))
  lines.push(`Then ${what} (${Math.round((100 * demand) / most)} % at 1000 nodes): ${remedy}.`);
process.stdout.write(`${lines.join('\n')}\n`);
if (values.page !== undefined) {
  const page = await readFile(values.page, 'utf8');
  await writeFile(
    values.page,
    page.replace(
      /(<!-- simulation -->\n)[\s\S]*(<!-- \/simulation -->)/,
      (_, open: string, close: string) => `${open}${lines.join('\n')}\n${close}`,
    ),
  );
}
