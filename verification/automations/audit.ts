import { setTimeout as delay } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import type { Client } from './client.js';
import type { Outside } from './outside.js';
import { arrivedAt, destinationTypes, type Arrived, type Route } from './places.js';

/** Files with the same bytes that must be delivered once: mostly one. */
export interface Planned {
  readonly route: Route;
  /** The text on its page. */
  readonly text: string;
  readonly names: readonly string[];
  readonly bytes: Buffer;
  readonly slow: boolean;
}

/** What became of the files of one route under one fault. */
export interface Outcome {
  readonly route: string;
  files: number;
  delivered: number;
  /** By the code of the reason. */
  readonly parked: Map<string, number>;
  waiting: number;
  lost: number;
  /** Delivered more than once under different ids. */
  twice: number;
  /** Sent again under the same id, by which the receiver recognises it. */
  repeated: number;
  /** Delivered, but not as a whole, or as another file. */
  wrong: number;
  /** In words, of what is wrong. */
  readonly problems: string[];
}

interface Unended {
  readonly state: string;
  readonly code: string;
}

/** Finds out where each file is: at its destination, parked, waiting, or nowhere. `prefix`: of the names of all. */
export async function auditFiles(
  planned: readonly Planned[],
  prefix: string,
  client: Client,
  outside: Outside,
): Promise<Outcome[]> {
  const outcomes = new Map<Route, Outcome>();
  for (const type of destinationTypes) {
    const own = planned.filter(({ route }) => route.destination === type);
    const arrived = own.length === 0 ? [] : await arrivedAt(type, prefix, client, outside);
    const byStem = Map.groupBy(arrived, ({ name }) => stemOf(name));
    for (const route of new Set(own.map((each) => each.route))) {
      const outcome = emptyOutcome(route.name);
      outcomes.set(route, outcome);
      const open = await unended(client, route);
      const left = new Set(await route.left());
      for (const one of own)
        if (one.route === route) {
          const found = one.names.flatMap((name) => byStem.get(stemOf(name)) ?? []);
          judgeFile(outcome, one, found, open, left);
        }
    }
    const known = new Set(own.flatMap(({ names }) => names.map(stemOf)));
    for (const stray of [...byStem.keys()].filter((stem) => !known.has(stem)))
      [...outcomes.values()][0]?.problems.push(`${stray} is at ${type}, where it does not belong`);
  }
  return [...outcomes.values()];
}

/**
 * Adds what became of one file: `found` is what has arrived of it, `open` what its automation says of files that are
 * not delivered, and `left` what is still in the source.
 */
export function judgeFile(
  outcome: Outcome,
  { names, text }: Pick<Planned, 'names' | 'text'>,
  found: readonly Arrived[],
  open: ReadonlyMap<string, Unended>,
  left: ReadonlySet<string>,
): void {
  const [name = ''] = names;
  const ids = new Set(found.map(({ id }) => id));
  const ends = names.flatMap((each) => open.get(each) ?? []);
  outcome.files += 1;
  outcome.repeated += found.length - ids.size;
  if (ids.size > 1) {
    outcome.twice += 1;
    outcome.problems.push(`${name} was delivered ${ids.size} times: ${[...ids].join(', ')}`);
  } else if (ids.size === 1 && !found.every(({ bytes }) => isWhole(bytes, text))) {
    outcome.wrong += 1;
    outcome.problems.push(`${name} is not whole, or is another file`);
  } else if (ids.size === 1) {
    outcome.delivered += 1;
    for (const { state, code } of ends) outcome.problems.push(`${name} was delivered and is ${state} (${code})`);
  } else if (ends.some(({ state }) => state !== 'parked')) {
    outcome.waiting += 1;
    outcome.problems.push(`${name} is still ${ends.map(({ state, code }) => `${state} ${code}`).join(', ')}`);
  } else if (ends.length > 0) {
    const code = ends[0]?.code ?? '';
    outcome.parked.set(code, (outcome.parked.get(code) ?? 0) + 1);
  } else if (names.some((each) => left.has(each))) {
    outcome.waiting += 1;
    outcome.problems.push(`${name} is in its source, and nobody has taken it`);
  } else {
    outcome.lost += 1;
    outcome.problems.push(`${name} is lost`);
  }
}

/** The outcome of a route before its files are judged. */
export function emptyOutcome(route: string): Outcome {
  return {
    route,
    files: 0,
    delivered: 0,
    parked: new Map(),
    waiting: 0,
    lost: 0,
    twice: 0,
    repeated: 0,
    wrong: 0,
    problems: [],
  };
}

const STATES = ['waiting', 'running', 'delivering', 'parked'] as const;
const PAGE = 200;

/** The files of an automation that are not delivered, by name. */
async function unended(client: Client, { automationId }: Route): Promise<ReadonlyMap<string, Unended>> {
  const found = new Map<string, Unended>();
  for (const state of STATES)
    for (let offset: number | null = 0; offset !== null;) {
      const path: string = `automations/${automationId}/items?state=${state}&limit=${PAGE}&offset=${offset}`;
      const page: { files: { name: string; reason: { code: string } | null }[]; next: number | null } =
        await client.json('GET', path);
      for (const { name, reason } of page.files) found.set(name, { state, code: reason?.code ?? '' });
      offset = page.next;
    }
  return found;
}

/** Adds runs that are said to go on although all files have ended. */
export async function noteRunning(outcomes: readonly Outcome[], routes: readonly Route[], client: Client) {
  for (const { automationId, name } of routes) {
    const path = `automations/${automationId}/runs?state=running`;
    let running = 0;
    for (let tries = 0; tries < 5; tries++) {
      running = (await client.json<{ runs: unknown[] }>('GET', path)).runs.length;
      if (running === 0) break;
      // The end of a run is noted after that of its file.
      await delay(1000);
    }
    if (running > 0) outcomes.find(({ route }) => route === name)?.problems.push(`${name}: ${running} runs go on`);
  }
}

/** Names of results begin with that of their input. */
function stemOf(name: string): string {
  return /^p\d+r\d+n\d+/.exec(name)?.[0] ?? name;
}

/** Whether a PDF is complete and has this text on its page. */
function isWhole(bytes: Buffer, text: string): boolean {
  const pdf = bytes.toString('latin1');
  if (!pdf.startsWith('%PDF-') || !/%%EOF\s*$/.test(pdf)) return false;
  const wanted = Buffer.from(text).toString('hex');
  for (const { index, 0: keyword } of pdf.matchAll(/stream\r?\n/g)) {
    const end = pdf.indexOf('endstream', index);
    const content = bytes.subarray(index + keyword.length, end);
    if (textOf(content).toLowerCase().includes(wanted)) return true;
  }
  return false;
}

function textOf(content: Buffer): string {
  try {
    return inflateSync(content).toString('latin1');
  } catch {
    return content.toString('latin1');
  }
}
