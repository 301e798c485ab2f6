import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer, memoryOf } from '../../verification/corpus/built-server.js';
import { create, sendJson, type Sent } from '../measure/automation-calls.js';
import type { Bench } from '../measure/bench.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { mb, median, ms, percentile } from '../measure/statistics.js';

const COUNTS = { arrival: 250, schedule: 100, webhook: 75, manual: 75 } as const;
const FOLDERS = 500;
const CREATED_AT_ONCE = 16;
const IDLE = Object.values(COUNTS).reduce((sum, count) => sum + count, 0);
const WINDOW_MS = 120_000;
const SETTLE_MS = 15_000;
const TARGET_SHARE = 0.01;
/** Schedules that fire at the same moments. */
const FIRING = 10;
const FIRINGS = 12;
const PERIOD_MS = 10_000;
const TARGET_LATE_MS = 1000;

const work = { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] };

/** Seconds that a process has computed, in its own threads and in the kernel. */
async function processorSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Fields 14 and 15 of proc_pid_stat(5), in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function folderSource(url: string, base: string, name: string): Promise<Sent> {
  const directory = join(base, name);
  await mkdir(directory, { recursive: true });
  return create(url, 'sources', { name, type: 'folder', options: { directory } });
}

/** Creates automations that have nothing to do. */
async function createIdle(url: string, base: string): Promise<void> {
  const destinations = [{ type: 'folder', options: { directory: join(base, 'out') } }];
  const add = (name: string, trigger: object, sources: readonly Sent[]): Promise<Sent> =>
    create(url, 'automations', {
      name,
      work,
      inputs: sources.map(({ id }) => ({ source: id, trigger })),
      destinations,
    });
  const shared = await folderSource(url, base, 'shared');
  const each = FOLDERS / COUNTS.arrival;
  await atOnce(COUNTS.arrival, async (n) => {
    const sources: Sent[] = [];
    for (let k = 0; k < each; k++) sources.push(await folderSource(url, base, `arrivals-${n}-${k}`));
    await add(`Arrival ${n}`, { type: 'arrival' }, sources);
  });
  await atOnce(COUNTS.schedule, (n) =>
    add(`Schedule ${n}`, { type: 'schedule', cron: `${n % 60} 0 1 1 *`, zone: 'UTC' }, [shared]),
  );
  await atOnce(COUNTS.webhook, async (n) => {
    const source = await create(url, 'sources', { name: `webhook-${n}`, type: 'webhook', options: {} });
    await add(`Webhook ${n}`, { type: 'arrival' }, [source]);
  });
  await atOnce(COUNTS.manual, (n) => add(`Manual ${n}`, { type: 'manual' }, [shared]));
}

/** Runs an action for each number below `count`, some at once. */
async function atOnce(count: number, action: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CREATED_AT_ONCE }, async () => {
      while (next < count) await action(next++);
    }),
  );
}

interface Cost {
  readonly seconds: number;
  readonly before: number;
  readonly after: number;
}

async function costOf({ pid }: BuiltServer): Promise<Cost> {
  const [seconds, { rss: before }] = [await processorSeconds(pid), await memoryOf(pid)];
  await delay(WINDOW_MS);
  return { seconds: (await processorSeconds(pid)) - seconds, before, after: (await memoryOf(pid)).rss };
}

/** Milliseconds between the times of schedules and the starts of the runs that they caused. */
async function lateness(url: string, base: string): Promise<number[]> {
  const input = await textPdf(1);
  const ids: string[] = [];
  for (let n = 0; n < FIRING; n++) {
    const source = await folderSource(url, base, `fired-${n}`);
    const trigger = { type: 'schedule', cron: '*/10 * * * * *', zone: 'UTC' };
    const destinations = [{ type: 'folder', options: { directory: join(base, 'out') } }];
    const inputs = [{ source: source.id, trigger }];
    ids.push((await create(url, 'automations', { name: `Fired ${n}`, work, inputs, destinations })).id);
  }
  for (let firing = 0; firing < FIRINGS; firing++) {
    await delay(PERIOD_MS - (Date.now() % PERIOD_MS) + PERIOD_MS / 2);
    for (let n = 0; n < FIRING; n++) await link(input, join(base, `fired-${n}`, `file-${firing}.pdf`));
  }
  await delay(PERIOD_MS);
  const late: number[] = [];
  for (const id of ids) {
    const { runs } = await sendJson<{ runs: { startedAt: string }[] }>(url, 'GET', `automations/${id}/runs?limit=100`);
    late.push(...runs.map(({ startedAt }) => Date.parse(startedAt) % PERIOD_MS));
  }
  if (late.length !== FIRING * FIRINGS) throw new Error(`${late.length} runs instead of ${FIRING * FIRINGS}`);
  return late;
}

/** What automations cost that have nothing to do, and how late schedules fire beside them. */
export const idleAutomations: Bench = {
  name: 'idle-automations',
  run: async () => {
    const base = join(benchFolder, `idle-automations-${process.pid}`);
    await mkdir(join(base, 'out'), { recursive: true });
    const env = {
      POLICIES_ALLOWEDFOLDERROOTS: base,
      // So that the window has a listing of every source.
      POLICIES_WATCHRECONCILESECONDS: String(WINDOW_MS / 1000),
      AUTOPIPELINE_FILEREADINESS_SETTLETIMEMILLIS: '0',
      AUTOPIPELINE_FILEREADINESS_SIZECHECKDELAYMILLIS: '0',
    };
    const start = (name: string): Promise<BuiltServer> =>
      BuiltServer.start({ base: join(benchFolder, `base-${name}-${process.pid}`), logFile: '/dev/null', env });
    const servers = [await start('without'), await start('with')] as const;
    try {
      const [without, filled] = servers;
      await createIdle(filled.url, base);
      // Memory as after a start, without what the calls have left.
      await delay(SETTLE_MS);
      const [bare, full] = await Promise.all([costOf(without), costOf(filled)]);
      const share = (full.seconds - bare.seconds) / (WINDOW_MS / 1000);
      const late = await lateness(filled.url, base);
      const worst = Math.max(...late);
      return [
        {
          what: `${IDLE} idle automations, ${FOLDERS} watched folders: processor time of the main process, two minutes`,
          ours: `${(share * 100).toFixed(2)} % of a core (${full.seconds.toFixed(2)} s)`,
          native: `${bare.seconds.toFixed(2)} s (a server without automations, at the same time)`,
          ratio: undefined,
          target: `≤ ${TARGET_SHARE * 100} % of a core more`,
          met: share <= TARGET_SHARE,
        },
        {
          what: `${IDLE} idle automations: resident memory of the main process`,
          ours: `${mb(full.before)}, two minutes later ${mb(full.after)}`,
          native: `${mb(bare.before)}, two minutes later ${mb(bare.after)} (without automations)`,
          ratio: full.after / bare.after,
          target: '',
          met: undefined,
        },
        {
          what: `Schedules beside ${IDLE} automations: from the time of the schedule to the start of the run`,
          ours: `worst ${ms(worst)} of ${late.length}, p99 ${ms(percentile(late, 0.99))}, p50 ${ms(median(late))}`,
          native: `${FIRING} schedules with a file each at the same moment`,
          ratio: undefined,
          target: `≤ ${ms(TARGET_LATE_MS)}`,
          met: worst <= TARGET_LATE_MS,
        },
      ];
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(base, { recursive: true, force: true });
    }
  },
};
