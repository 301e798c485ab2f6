import { sessionDigest, type SessionDigest } from './session-digest.js';
import { UniqueCounter } from './unique-counter.js';

export interface CountedCall {
  readonly method: 'GET' | 'POST';
  /** The path of the request, with the context path and without the query. */
  readonly path: string;
  /** The pattern of the matching route; equal to the path if the route has no variables. */
  readonly pattern: string;
  /** Identifies the session; only a digest is kept. */
  readonly session: string;
}

/** One line of a list of counts. */
export interface EndpointCount {
  readonly endpoint: string;
  readonly count: number;
}

interface Entry {
  calls: number;
  readonly sessions: UniqueCounter;
}

/**
 * Maximum number of paths with variables that are counted separately; others are counted under their route's pattern.
 */
const VARIABLE_PATHS = 1000;
const LONGEST_PATH = 256;
const perEndpoint = { exact: 100, precision: 11 } as const;
const perMethod = { exact: 10_000, precision: 14 } as const;

/**
 * Counts calls by endpoint, method and session since the start (`docs/interface/info.yml`), in memory. The size is
 * bounded by the number of routes: made-up paths are counted under their route's pattern, made-up sessions in a sketch
 * (exact up to 100 sessions per endpoint and 10 000 per method, then a few per cent off).
 */
export class Counters {
  readonly started = Date.now();
  readonly #methods = { GET: new MethodCounters(), POST: new MethodCounters() };
  readonly #digest: SessionDigest = sessionDigest();

  /** `also` receives the route's pattern of every counted call. */
  constructor(private readonly also?: (pattern: string, method: CountedCall['method']) => void) {}

  count({ method, path, pattern, session }: CountedCall): void {
    this.#methods[method].count(path, pattern, this.#digest(session));
    this.also?.(pattern, method);
  }

  /** Returns the calls (sessions if `unique`) per endpoint of a method: most first, then by name. */
  all(method: 'GET' | 'POST', unique: boolean): EndpointCount[] {
    const rows = [...this.#methods[method].endpoints].map(([endpoint, entry]) => ({
      endpoint,
      count: countOf(entry, unique),
    }));
    return rows.sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1));
  }

  /** Returns the calls (sessions if `unique`) of a method, or of one endpoint (0 for an unknown one). */
  total(method: 'GET' | 'POST', unique: boolean, endpoint?: string): number {
    const counters = this.#methods[method];
    if (endpoint === undefined) return unique ? counters.sessions.count : counters.calls;
    const entry = counters.endpoints.get(endpoint);
    return entry === undefined ? 0 : countOf(entry, unique);
  }
}

class MethodCounters {
  readonly endpoints = new Map<string, Entry>();
  readonly sessions = new UniqueCounter(perMethod);
  calls = 0;
  #variable = 0;

  count(path: string, pattern: string, digest: number): void {
    const entry = this.endpoints.get(path) ?? this.#open(path, pattern);
    entry.calls++;
    entry.sessions.add(digest);
    this.calls++;
    this.sessions.add(digest);
  }

  #open(path: string, pattern: string): Entry {
    const folds = path !== pattern && (this.#variable >= VARIABLE_PATHS || path.length > LONGEST_PATH);
    const endpoint = folds ? pattern : path;
    const known = this.endpoints.get(endpoint);
    if (known !== undefined) return known;
    if (path !== pattern && !folds) this.#variable++;
    const entry = { calls: 0, sessions: new UniqueCounter(perEndpoint) };
    this.endpoints.set(endpoint, entry);
    return entry;
  }
}

function countOf(entry: Entry, unique: boolean): number {
  return unique ? entry.sessions.count : entry.calls;
}

/** Formats the time since the start as `<D>d <H>h <M>m <S>s` (`docs/interface/info.yml`, uptime). */
export function uptimeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return (
    `${Math.floor(seconds / 86400)}d ${Math.floor(seconds / 3600) % 24}h ${Math.floor(seconds / 60) % 60}m ` +
    `${seconds % 60}s`
  );
}

/** Formats a whole number as a JSON double, `3.0` (`docs/interface/info.yml`, common rules). */
export function doubleText(count: number): string {
  return Number.isInteger(count) ? `${count}.0` : String(count);
}
