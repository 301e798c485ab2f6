import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf } from '../../test/kit/make-pdf.js';
import { ClusterNode } from '../cluster/cluster-node.js';
import { findStoreProgram, StoreServer } from '../cluster/store-server.js';
import { writeSettings } from '../watched-folders/watched-server.js';
import { auditFiles, noteRunning, type Outcome, type Planned } from './audit.js';
import { admin, Client } from './client.js';
import { CostMeter } from './cost.js';
import { Outside } from './outside.js';
import { harm, JumpingClock, missingFor, type Fault, type Stage } from './phases.js';
import { makeRoutes, type Route } from './places.js';

export type StoreKind = 'embedded' | 'cluster';

export interface AutomationTestOptions {
  readonly store: StoreKind;
  readonly faults: readonly Fault[];
  /** Names of pairs of a source and a destination. */
  readonly routes: readonly string[];
  /** Files of each fault, over all pairs of a source and a destination. */
  readonly files: number;
  /** Over which they arrive. */
  readonly feedMs: number;
  /** How long the fault lasts at least, unless all files have ended. */
  readonly harmMs: number;
  /** After which whatever is not at its end counts as waiting. */
  readonly patienceMs: number;
  readonly keep: boolean;
  /** Whether round trips with other servers are counted. */
  readonly count: boolean;
  say(text: string): void;
}

/** What one fault did. */
export interface PhaseResult {
  readonly fault: Fault;
  readonly kills: number;
  readonly seconds: number;
  readonly outcomes: readonly Outcome[];
}

export interface AutomationTestRun {
  readonly store: StoreKind;
  readonly phases: readonly PhaseResult[];
  readonly skipped: readonly { readonly fault: Fault; readonly reason: string }[];
  /** The folder of the test, if it was kept. */
  readonly base?: string;
}

interface Count {
  readonly total: number;
  readonly open: number;
}

const DISK_BYTES = { node: '1g', out: '256m' };

/** Puts files into all kinds of sources under each fault, and finds out what became of each. */
export async function runAutomationTest(options: AutomationTestOptions): Promise<AutomationTestRun> {
  const base = await mkdtemp(join(tmpdir(), 'quire-automations-'));
  const nodes: ClusterNode[] = [];
  const mounted: string[] = [];
  let outside: Outside | undefined;
  let store: StoreServer | undefined;
  let kept = true;
  try {
    outside = await Outside.start(join(base, 'outside'), options.count);
    if (options.store === 'cluster') store = await StoreServer.start(await findStoreProgram(), join(base, 'store'));
    const env: Record<string, string> = {};
    mount(join(outside.folder, 'out'), DISK_BYTES.out, mounted);
    await startNodes(base, env, outside, store, nodes, mounted);
    const client = new Client(nodes);
    await client.logIn();
    const clock = new JumpingClock();
    const stage: Stage = { nodes, env, folder: base, outside, store, disks: mounted, clock, say: options.say };
    const routes = await makeRoutes(client, outside, { chosen: options.routes, clockMs: clock.now });
    const phases: PhaseResult[] = [];
    const skipped: { fault: Fault; reason: string }[] = [];
    for (const fault of options.faults) {
      const reason = missingFor(fault, stage);
      if (reason === undefined) phases.push(await runPhase(fault, phases.length, options, stage, routes, client));
      else skipped.push({ fault, reason });
    }
    const bad = phases.some(({ outcomes }) => outcomes.some(({ problems }) => problems.length > 0));
    kept = options.keep || bad;
    return { store: options.store, phases, skipped, ...(kept ? { base } : {}) };
  } finally {
    for (const node of nodes) await node.end('SIGKILL');
    await store?.kill();
    await outside?.close();
    if (kept) options.say(`log and files: ${base}`);
    // Processes of workers may still end there. What is on a disk of its own goes with it.
    for (const folder of mounted) {
      if (kept) execFileSync('cp', ['-a', folder, `${folder}-kept`]);
      execFileSync('umount', ['-l', folder]);
    }
    if (!kept) await rm(base, { recursive: true, force: true });
  }
}

/** Makes a folder a small disk of its own, where that is allowed. */
function mount(folder: string, size: string, mounted: string[]): void {
  if (userInfo().uid !== 0) return;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    mounted.push(folder);
  } catch {
    // Not in every container; the fault is left out then.
  }
}

async function startNodes(
  base: string,
  env: Record<string, string>,
  outside: Outside,
  store: StoreServer | undefined,
  nodes: ClusterNode[],
  mounted: string[],
): Promise<void> {
  const secret = randomBytes(32).toString('hex');
  for (const name of store === undefined ? ['a'] : ['a', 'b']) {
    const home = join(base, name);
    await mkdir(home);
    mount(home, DISK_BYTES.node, mounted);
    await writeSettings(home, ['@quire/plugin-general'], settingsFor(outside, store !== undefined));
    // Not on the disk of the node, which may be full.
    const log = join(base, `${name}.log`);
    const database = 'automations';
    nodes.push(
      await ClusterNode.start({ name, role: 'all', base: home, log, storeUrl: store?.url, database, secret, env }),
    );
  }
}

function settingsFor(outside: Outside, cluster: boolean): object {
  const { folder, imap } = outside;
  return {
    security: { enableLogin: true, initialLogin: admin },
    storage: { enabled: true, ...(cluster ? { provider: 'database' } : {}) },
    limits: { workers: 2 },
    mail: { enabled: true, host: '127.0.0.1', port: outside.portOf('smtp'), from: 'quire@example.org' },
    system: { caBundle: imap.authorityFile },
    outbound: { allowed: ['127.0.0.1'] },
    policies: {
      allowedFolderRoots: [folder],
      allowPrivateS3Endpoints: true,
      scheduleSweepSeconds: 2,
      watchReconcileSeconds: 5,
    },
  };
}

async function runPhase(
  fault: Fault,
  number: number,
  options: AutomationTestOptions,
  stage: Stage,
  routes: readonly Route[],
  client: Client,
): Promise<PhaseResult> {
  const { say } = options;
  const began = performance.now();
  const planned = await plan(routes, fault, number, options.files);
  const fed = planned.reduce((sum, { names }) => sum + names.length, 0);
  say(`${options.store}: ${fault}, ${fed} files`);
  if (fault === 'twice') for (const route of routes) await route.setOnce('content');
  const before = await counts(client);
  const cost = options.count ? new CostMeter(stage.outside, stage.nodes) : undefined;
  const end = new AbortController();
  const harming = harm(fault, stage, end.signal);
  await feed(planned, fault, options.feedMs);
  say('all files are there');
  const wanted = before.total + fed;
  const harmedMs = performance.now() - began;
  await settled(client, wanted, { ...options, patienceMs: Math.max(0, options.harmMs - harmedMs) });
  end.abort();
  const kills = await harming;
  await settled(client, wanted, options);
  for (const line of cost?.lines(planned) ?? []) say(line);
  if (fault === 'twice') for (const route of routes) await route.setOnce('version');
  const outcomes = await auditFiles(planned, `p${number}r`, client, stage.outside);
  // Runs that a dead node of several has left are ended by an hourly sweep.
  if (options.store === 'embedded') await noteRunning(outcomes, routes, client);
  const seconds = (performance.now() - began) / 1000;
  const delivered = outcomes.reduce((sum, each) => sum + each.delivered, 0);
  say(`${delivered} of ${planned.length} delivered, ${kills} kills, ${seconds.toFixed(0)} s`);
  for (const problem of outcomes.flatMap(({ problems }) => problems).slice(0, 30)) say(`  ${problem}`);
  return { fault, kills, seconds, outcomes };
}

/** Every fifth file has a slow writer. */
async function plan(routes: readonly Route[], fault: Fault, phase: number, files: number): Promise<Planned[]> {
  const copies = fault === 'twice' ? 2 : 1;
  const each = Math.ceil(files / routes.length / copies);
  const planned: Planned[] = [];
  for (let number = 0; number < each; number++)
    for (const [at, route] of routes.entries()) {
      const nameOf = (copy: number): string => `p${phase}r${at}n${number * copies + copy}`;
      const text = `${nameOf(0)}x`;
      planned.push({
        route,
        text,
        names: Array.from({ length: copies }, (_, copy) => `${nameOf(copy)}.pdf`),
        bytes: Buffer.from(await makePdf({ pages: 1, text })),
        slow: number % 5 === 4,
      });
    }
  return planned;
}

async function feed(planned: readonly Planned[], fault: Fault, feedMs: number): Promise<void> {
  const began = performance.now();
  const lanes = Array.from({ length: 16 }, (_, lane) => lane);
  await Promise.all(
    lanes.map(async (lane) => {
      for (let at = lane; at < planned.length; at += lanes.length) {
        const { route, names, bytes, slow } = planned[at] as Planned;
        await delay(Math.max(0, began + (feedMs * at) / planned.length - performance.now()));
        for (const name of names) await route.put(name, bytes, slow);
        // A sender that has not seen the answer repeats its delivery.
        if (fault === 'twice' && route.source === 'webhook') await route.put(names[0] ?? '', bytes, false);
      }
    }),
  );
}

async function counts(client: Client): Promise<Count> {
  const all = await client.json<{ files: Record<string, number> }[]>('GET', 'automations');
  let [total, open] = [0, 0];
  for (const { files } of all)
    for (const [state, count] of Object.entries(files)) {
      total += count;
      if (state !== 'delivered' && state !== 'parked') open += count;
    }
  return { total, open };
}

/** Waits until every file was found and is at its end. */
async function settled(
  client: Client,
  wanted: number,
  { patienceMs, say }: Pick<AutomationTestOptions, 'patienceMs' | 'say'>,
): Promise<void> {
  const until = performance.now() + patienceMs;
  let shown = performance.now();
  for (;;) {
    const { total, open } = await counts(client);
    if (total >= wanted && open === 0) return;
    if (performance.now() - shown > 15_000) {
      shown = performance.now();
      say(`${total - wanted} found beyond what was put in, ${open} not at their end`);
    }
    if (performance.now() > until) return;
    await delay(500);
  }
}
