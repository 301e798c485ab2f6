// npm run cluster:test [-- --jobs 1000 --seconds-between-kills 5 --store <program> --change-streams
// --page docs/reports/reliability.md --keep]
//
// Runs one api node, three workers and a store on this machine, and submits jobs while workers are killed, the store
// fails and the api node restarts.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ClusterNode } from './cluster-node.js';
import { Faults } from './faults.js';
import { JobClient } from './job-client.js';
import { drawJobs, jobMix, type JobKind } from './job-mix.js';
import { judge, Ledger, type Entry, type Expected } from './ledger.js';
import { clusterPage, figures, type ClusterRun } from './cluster-report.js';
import { auditStore } from './store-audit.js';
import { findStoreProgram, StoreServer } from './store-server.js';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    'seconds-between-kills': { type: 'string', default: '6' },
    workers: { type: 'string', default: '3' },
    store: { type: 'string' },
    'change-streams': { type: 'boolean', default: false },
    page: { type: 'string' },
    role: { type: 'string', default: 'api' },
    limit: { type: 'string', default: '1800' },
    root: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const wanted = Number(values.jobs);
const everySeconds = Number(values['seconds-between-kills']);
/** Concurrent submissions and polls. */
const lanes = { submit: 4, look: 4 };
const started = performance.now();
const say = (text: string): void =>
  void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);

const folder = await mkdtemp(join(tmpdir(), 'quire-cluster-'));
const nodes: ClusterNode[] = [];
let store: StoreServer | undefined;
let failed = false;
try {
  const program = await findStoreProgram(values.store ?? process.env['QUIRE_STORE_PROGRAM']);
  store = await StoreServer.start(program, folder, { changeStreams: values['change-streams'] });
  failed = !(await proof(store, program));
} catch (error) {
  failed = true;
  process.stderr.write(`${String(error instanceof Error ? (error.stack ?? error.message) : error)}\n`);
} finally {
  await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  await store?.kill('SIGTERM');
  if (values.keep || failed) process.stdout.write(`logs and data: ${folder}\n`);
  else await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function proof(server: StoreServer, program: string): Promise<boolean> {
  const shared = {
    ...(values.root === undefined ? {} : { root: values.root }),
    storeUrl: server.url,
    database: 'quire_cluster',
    secret: randomBytes(32).toString('hex'),
    // One worker process per node, because the nodes share this machine. Results are kept until they have been counted.
    // Documents are rewritten, not appended to: the bytes then do not depend on whether two steps fell into the same
    // second.
    env: {
      LIMITS_WORKERS: '1',
      JOBS_CONCURRENCY: '1',
      JOBS_RESULTEXPIRYMINUTES: '600',
      LIMITS_QUEUELENGTH: '100',
      DOCUMENT_WRITE: 'rewrite',
    },
  };
  const start = async (name: string, role: 'all' | 'api' | 'worker'): Promise<ClusterNode> => {
    const node = await ClusterNode.start({ ...shared, name, role, base: join(folder, name) });
    nodes.push(node);
    return node;
  };
  const api = await start('api', values.role === 'all' ? 'all' : 'api');
  const workers: ClusterNode[] = [];
  for (let i = 1; i <= Number(values.workers); i++)
    workers.push(await start(`worker-${i}`, values.role === 'all' ? 'all' : 'worker'));
  say(`1 api node, ${workers.length} worker nodes, store ${program}`);

  const kinds = await jobMix();
  const client = new JobClient(() => api.url);
  const calm = new Ledger();
  const expected = await calmRun(client, kinds, calm);
  say(
    `calm run: ${[...expected.values()].filter(({ same }) => same).length} of ${kinds.length} kinds produce ` +
      `the same bytes twice${differing(expected)}`,
  );

  const ledger = new Ledger();
  const faults = new Faults(workers, say);
  const killing = faults.killWorkers(everySeconds);
  const stormStart = performance.now();
  const planned: { at: number; harm: () => Promise<void> }[] = [
    { at: 0.25, harm: () => faults.freezeStore(server) },
    { at: 0.5, harm: () => faults.restartApi(api) },
    { at: 0.7, harm: () => faults.killStore(server) },
  ];
  let reported = 0;
  const step = async (): Promise<void> => {
    if (ledger.finished >= reported + Math.ceil(wanted / 10))
      say(`${(reported = ledger.finished)} of ${wanted} finished, ${faults.counts.kills} workers killed`);
    const next = planned[0];
    if (next !== undefined && ledger.finished >= next.at * wanted) {
      planned.shift();
      await next.harm();
    }
  };
  await run(client, drawJobs(kinds, wanted), ledger, step, Number(values.limit));
  await faults.stop();
  await killing;
  const seconds = (performance.now() - stormStart) / 1000;
  say(
    ledger.entries.length >= wanted && ledger.open.length === 0
      ? 'all jobs have finished; checking each once more'
      : `time limit reached: ${wanted - ledger.finished} of ${wanted} have not finished`,
  );

  const judgement = judge(ledger.entries, expected);
  const problems = [...judgement.problems, ...client.patience.wrong, ...(await changed(client, ledger.entries))];
  // Reported before the store is audited, which can take long or fail.
  const succeeded = ledger.entries.filter(({ final }) => final?.status === 'succeeded').length;
  say(
    [`${succeeded} succeeded, ${problems.length} problems so far`, ...problems.slice(0, 10)].join(`\n${' '.repeat(9)}`),
  );
  // A killed node clears its temporary folder when it restarts; the others are idle now.
  await delay(2000);
  const leftovers = (await Promise.all(nodes.map((node) => node.leftovers()))).flat();
  await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  await server.kill('SIGTERM');
  await server.start(true);
  const audit = await auditStore(
    server.url,
    shared.database,
    new Set([...calm.entries, ...ledger.entries].map(({ jobId }) => jobId)),
  );
  if (audit.unfinished > 0) problems.push(`${audit.unfinished} jobs in the store have not finished`);
  if (audit.unknown > client.patience.unanswered)
    problems.push(
      `${audit.unknown} jobs that nobody submitted, but only ${client.patience.unanswered} submissions in doubt`,
    );
  if (audit.missing > 0) problems.push(`${audit.missing} result files are missing`);
  for (const [what, count] of [
    ['files that no job names', audit.orphansAfter],
    ['orphaned chunks of files', audit.pieces],
    ['orphaned rows of files', audit.strayRows],
    ['rows left in the queue', audit.queueRows],
    ['temporary files', leftovers.length],
  ] as const) {
    if (count > 0) problems.push(`${count} ${what}`);
  }
  const outcome: ClusterRun = {
    wanted,
    refused: ledger.refused,
    workers: workers.length,
    everySeconds,
    seconds,
    program,
    faults: faults.counts,
    patience: client.patience,
    judgement,
    audit,
    leftovers,
    problems,
    entries: ledger.entries,
    differing: differing(expected),
  };
  process.stdout.write(
    `\n${figures(outcome)
      .map(([what, figure]) => `${what.padEnd(58)} ${figure}`)
      .join('\n')}\n`,
  );
  for (const problem of problems.slice(0, 40)) process.stdout.write(`  PROBLEM ${problem}\n`);
  if (values.page !== undefined) await clusterPage(values.page, outcome);
  return problems.length === 0;
}

/**
 * Runs each kind twice without faults, the second time some seconds later, so that differences caused by the time show.
 */
async function calmRun(client: JobClient, kinds: readonly JobKind[], ledger: Ledger): Promise<Map<string, Expected>> {
  const rounds: Entry[][] = [];
  for (let round = 0; round < 2; round++) {
    const entries: Entry[] = [];
    for (const kind of kinds) {
      const entry = ledger.add(kind, await client.submit(kind));
      if (entry !== undefined) entries.push(entry);
    }
    for (const entry of entries) {
      while (!(await ledger.look(client, entry))) {
        if (performance.now() > entry.submittedAt + 240_000)
          throw new Error(`${entry.kind.name} does not finish in a calm run`);
        await delay(100);
      }
    }
    rounds.push(entries);
    await delay(1500);
  }
  const [first, second] = rounds;
  return new Map(
    (first ?? []).map(({ kind, final, digest }) => {
      const again = second?.find((entry) => entry.kind === kind);
      if (kind.shape !== 'refused' && final?.status !== 'succeeded')
        throw new Error(`${kind.name} fails in a calm run: ${final?.error ?? ''}`);
      return [
        kind.name,
        {
          status: final?.status ?? '',
          error: final?.error ?? null,
          digest: digest ?? '',
          same: digest === again?.digest,
        },
      ];
    }),
  );
}

/** Submits the jobs and polls them until they have finished. */
async function run(
  client: JobClient,
  jobs: readonly JobKind[],
  ledger: Ledger,
  step: () => Promise<void>,
  limitSeconds: number,
): Promise<void> {
  const until = performance.now() + limitSeconds * 1000;
  const waiting = [...jobs];
  let submitting = lanes.submit;
  const submit = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      ledger.add(kind, await client.submit(kind));
      // Keeps the queue at 60 jobs, as in normal use, instead of a backlog of a thousand.
      while (ledger.open.length > 60 && performance.now() < until) await delay(200);
      if (performance.now() > until) break;
    }
    submitting -= 1;
  };
  const looking = new Set<Entry>();
  const lookedAt = new Map<Entry, number>();
  const look = async (): Promise<void> => {
    while (performance.now() < until) {
      const entry = ledger.open
        .filter((one) => !looking.has(one))
        .sort((a, b) => (lookedAt.get(a) ?? 0) - (lookedAt.get(b) ?? 0))[0];
      if (entry === undefined) {
        if (submitting === 0 && ledger.open.length === 0) return;
        await delay(100);
        continue;
      }
      looking.add(entry);
      await delay(Math.max(0, (lookedAt.get(entry) ?? 0) + 1000 - performance.now()));
      await ledger.look(client, entry);
      lookedAt.set(entry, performance.now());
      looking.delete(entry);
    }
  };
  let over = false;
  const steps = (async () => {
    while (!over) {
      await step();
      await delay(200);
    }
  })();
  await Promise.all([...Array.from({ length: lanes.submit }, submit), ...Array.from({ length: lanes.look }, look)]);
  over = true;
  await steps;
}

/** Reads every job a second time: a finished job must not change. */
async function changed(client: JobClient, entries: readonly Entry[]): Promise<string[]> {
  const found: string[] = [];
  for (const { jobId, kind, final, digest } of entries) {
    const record = await client.record(jobId);
    if (JSON.stringify(record) !== JSON.stringify(final)) found.push(`${kind.name} ${jobId} changed after completion`);
    else if (record !== undefined && (await client.digest(record)) !== digest)
      found.push(`${kind.name} ${jobId} returns different bytes than at first`);
  }
  return found;
}

function differing(expected: ReadonlyMap<string, Expected>): string {
  const names = [...expected].filter(([, { same }]) => !same).map(([name]) => name);
  return names.length === 0 ? '' : `; not ${names.join(', ')}`;
}
