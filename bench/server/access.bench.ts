import { BuiltServer, memoryOf, processTree } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { mb, median, ms, percentile, timed } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const CLIENTS = 50;
const SECONDS = 60;
const PASSWORD = 'bench-Password-1';
const locked = {
  SECURITY_ENABLELOGIN: 'true',
  SECURITY_INITIALLOGIN_USERNAME: 'admin',
  SECURITY_INITIALLOGIN_PASSWORD: PASSWORD,
  SERVER_HOST: '127.0.0.1',
  LICENCE_ALLOWANCE: '1000000000',
};

/** Returns the administrator's API key, fetched as a person would: login, then get-api-key. */
async function keyOf(url: string): Promise<string> {
  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { session } = (await post('auth/login', { username: 'admin', password: PASSWORD }, {})) as {
    session: { access_token: string };
  };
  return String(
    (await post('user/get-api-key', undefined, { authorization: `Bearer ${session.access_token}` }))['apiKey'],
  );
}

interface Tool {
  readonly path: string;
  readonly body: MultipartBody;
  /** Acceptable statuses. */
  readonly expected: readonly number[];
}

/** A typical mix of calls: mostly small tools, now and then an error. */
async function mixedTools(): Promise<readonly Tool[]> {
  const [ten, hundred] = [await textPdf(10), await textPdf(100)];
  const tool = async (
    path: string,
    files: readonly string[],
    fields: Record<string, string>,
    expected = 200,
  ): Promise<Tool> => ({ path: `/api/v1/${path}`, body: await multipart(files, fields), expected: [expected] });
  return [
    await tool('general/rotate-pdf', [ten], { angle: '90' }),
    await tool('general/rotate-pdf', [hundred], { angle: '180' }),
    await tool('general/split-pages', [ten], { pageNumbers: 'all' }),
    await tool('general/merge-pdfs', [ten, ten], {}),
    await tool('general/remove-pages', [ten], { pageNumbers: '1' }),
    await tool('filter/filter-page-count', [hundred], { pageCount: '5', comparator: 'Greater' }),
    await tool('security/add-watermark', [ten], { watermarkType: 'text', watermarkText: 'Entwurf' }),
    await tool('general/rotate-pdf', [ten], { angle: '45' }, 400),
  ];
}

async function memory(server: BuiltServer): Promise<number> {
  return (await memoryOf(server.pid)).rss;
}

/**
 * Fifty clients for a minute with mixed tools and login on. Target: no 5xx, no leaked file, memory returns to its
 * level.
 */
export const load50: Bench = {
  name: 'load-50',
  run: async (): Promise<BenchRow[]> =>
    withServer(async (server) => {
      const tools = await mixedTools();
      const client = new Client(server.url, { 'x-api-key': await keyOf(server.url) });
      const statuses = new Map<number, number>();
      const times: number[] = [];
      let wrong = 0;
      const lanes = async (seconds: number): Promise<void> => {
        const end = performance.now() + seconds * 1000;
        await Promise.all(
          Array.from({ length: CLIENTS }, async (_, lane) => {
            for (let n = lane; performance.now() < end; n++) {
              const tool = tools[n % tools.length]!;
              times.push(
                await timed(async () => {
                  const status = await client.status(tool.path, tool.body);
                  statuses.set(status, (statuses.get(status) ?? 0) + 1);
                  // A full queue answers 429, and the client tries again.
                  if (status !== 429 && !tool.expected.includes(status)) wrong++;
                }),
              );
            }
          }),
        );
      };
      await lanes(5);
      const before = await memory(server);
      await lanes(SECONDS);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      const middle = await memory(server);
      await lanes(15);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      const after = await memory(server);
      const left = await server.leftovers();
      client.close();
      const failed = [...statuses].reduce(
        (sum, [status, count]) => (status >= 500 || status === 0 ? sum + count : sum),
        0,
      );
      const shown = [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ');
      const processes = (await processTree(server.pid)).length;
      return [
        {
          what: `${CLIENTS} clients for ${SECONDS} s, mixed tools, login on: answers`,
          ours: `${shown}; p50 ${ms(median(times))}, p99 ${ms(percentile(times, 0.99))}`,
          native: '',
          ratio: undefined,
          target: 'no 5xx, no wrong answer',
          met: failed === 0 && wrong === 0,
        },
        {
          what: 'Files left in the temporary folder afterwards',
          ours: `${left.length}`,
          native: '',
          ratio: undefined,
          target: '0',
          met: left.length === 0,
        },
        {
          what: `Main process resident: before, after ${SECONDS} s, after 15 s more (${processes} processes)`,
          ours: `${mb(before)}, ${mb(middle)}, ${mb(after)}`,
          native: '',
          ratio: undefined,
          target: '≤ 10 % growth in the last 15 s',
          met: after <= middle * 1.1,
        },
      ];
    }, locked),
};

const CALLS = 400;

/**
 * Cost of authentication, counting and metering per call: the same calls in turns on a server with them and on one
 * without.
 */
export const accessCost: Bench = {
  name: 'access-cost',
  run: async (): Promise<BenchRow[]> =>
    withServer(async (open) => {
      const guarded = await BuiltServer.start({
        base: `${benchFolder}/base-guarded`,
        logFile: '/dev/null',
        env: locked,
      });
      try {
        const body = await multipart([await textPdf(10)], { fileSize: '1', comparator: 'Greater' });
        const path = '/api/v1/filter/filter-file-size';
        const with_ = new Client(guarded.url, { 'x-api-key': await keyOf(guarded.url) });
        const without = new Client(open.url);
        const [a, b]: [number[], number[]] = [[], []];
        for (let i = 0; i < CALLS; i++) {
          const [first, second] = i % 2 === 0 ? [with_, without] : [without, with_];
          const [x, y] = [await timed(() => first.post(path, body)), await timed(() => second.post(path, body))];
          if (i < CALLS / 4) continue;
          a.push(i % 2 === 0 ? x : y);
          b.push(i % 2 === 0 ? y : x);
        }
        with_.close();
        without.close();
        const cost = median(a) - median(b);
        return [
          {
            what: 'Authentication, counting and metering, per call',
            ours: `${cost.toFixed(2)} ms (${ms(median(a))} with, ${ms(median(b))} without)`,
            native: '',
            ratio: undefined,
            target: '≤ 1 ms',
            met: cost <= 1,
          },
        ];
      } finally {
        await guarded.stop();
      }
    }),
};
