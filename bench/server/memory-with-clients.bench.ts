import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf, processTree } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client } from '../measure/client.js';
import { lanes } from '../measure/lanes.js';
import { mb } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';
import type { PeerJob } from '../peers/job.js';
import { jobs } from '../peers/jobs.js';
import { bodyOf } from '../peers/measure.js';

const CLIENTS = 8;
const SECONDS = 4;
const LOOK_MS = 100;
/** Jobs of the table of peers that work on pages; conversions need programs of others. */
const PAGE_WORK = [
  'rotate-10',
  'rotate-500',
  'rotate-100mb',
  'merge-20',
  'merge-2',
  'split-500',
  'split-5',
  'compress-text',
  'add-password',
  'remove-password',
  'watermark',
  'metadata-read',
  'metadata-write',
  'flatten',
  'pipeline',
];
const [PAGE_TARGET, PDFA_TARGET] = [350, 800] as const;

interface Peak {
  readonly what: string;
  readonly resident: number;
  readonly proportional: number;
}

/** The highest sums over all processes of a new server, in MB, while clients send the same call for some seconds. */
async function peakOf(job: PeerJob): Promise<Peak> {
  return withServer(async ({ url, pid }) => {
    const server = { url, prefix: '/api/v1/', field: 'fileInput' };
    const body = await bodyOf(server, job.ours, await job.inputs());
    const client = new Client(url);
    const peak = { what: job.what, resident: 0, proportional: 0 };
    const load = { over: false };
    const look = async (): Promise<void> => {
      while (!load.over) {
        const found = await Promise.all((await processTree(pid)).map(memoryOf));
        peak.resident = Math.max(
          peak.resident,
          found.reduce((sum, { rss }) => sum + rss, 0),
        );
        peak.proportional = Math.max(
          peak.proportional,
          found.reduce((sum, { pss }) => sum + pss, 0),
        );
        await delay(LOOK_MS);
      }
    };
    const looking = look();
    await lanes(CLIENTS, SECONDS, () => client.post(`${server.prefix}${job.ours.path}`, body));
    load.over = true;
    await looking;
    client.close();
    return peak;
  });
}

async function peaksOf(names: readonly string[]): Promise<Peak[]> {
  const peaks: Peak[] = [];
  for (const job of jobs) if (names.includes(job.name)) peaks.push(await peakOf(job));
  return peaks;
}

function rowOf(what: string, peaks: readonly Peak[], target: number): BenchRow {
  const ordered = [...peaks].sort((one, other) => one.proportional - other.proportional);
  const [least, most] = [ordered[0], ordered.at(-1)];
  if (least === undefined || most === undefined) throw new RangeError('nothing was measured');
  const text = ({ what: job, resident, proportional }: Peak): string =>
    `${mb(proportional)} (${job}; resident ${mb(resident)})`;
  return {
    what: `Peak of all processes with ${CLIENTS} clients, proportional: ${what}`,
    ours: least === most ? text(most) : `${text(least)} to ${text(most)}`,
    native: '',
    ratio: undefined,
    target: `≤ ${target} MB`,
    met: most.proportional <= target,
  };
}

/** Memory of a server that works for several clients: of what several processes share, each counts its part. */
export const memoryWithClients: Bench = {
  name: 'memory-with-clients',
  run: async () => [
    rowOf('page work', await peaksOf(PAGE_WORK), PAGE_TARGET),
    rowOf('PDF/A', await peaksOf(['pdfa']), PDFA_TARGET),
  ],
};
