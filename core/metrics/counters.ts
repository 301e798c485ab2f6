import { sessionDigest, type SessionDigest } from './session-digest.js';
import { UniqueCounter } from './unique-counter.js';

/** A call to be counted. */
export interface CountedCall {
  readonly method: 'GET' | 'POST';
  /** The request's path as it came, with the context path, without the query. */
  readonly path: string;
  /** The pattern of the route that answers it; equal to the path where the route has no variables. */
  readonly pattern: string;
  /** Tells callers apart; kept only as a digest. */
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

/** Paths with variables in them that are counted one by one; the others are counted under their route's pattern. */
const VARIABLE_PATHS = 1000;
const LONGEST_PATH = 256;
const perEndpoint = { exact: 100, precision: 11 } as const;
const perMethod = { exact: 10_000, precision: 14 } as const;

/**
 * Counts calls by endpoint, method and session since the start (`docs/interface/info.yml`); lives in memory and
 * restarts with the server. Its size is bounded by the number of routes: invented paths fold into their route's
 * pattern, invented sessions into a sketch (exact up to 100 sessions an endpoint and 10 000 a method, then within a few
 * per cent).
 */
export class Counters {
  readonly started = Date.now();
  readonly #methods = { GET: new MethodCounters(), POST: new MethodCounters() };
  readonly #digest: SessionDigest = sessionDigest();

  /** `also` is told the route's pattern of every call that is counted. */
  constructor(private readonly also?: (pattern: string) => void) {}

  count({ method, path, pattern, session }: CountedCall): void {
    this.#methods[method].count(path, pattern, this.#digest(session));
    this.also?.(pattern);
  }

  /** Calls, or sessions when `unique`, per endpoint of a method, most first, then by name. */
  all(method: 'GET' | 'POST', unique: boolean): EndpointCount[] {
    const rows = [...this.#methods[method].endpoints].map(([endpoint, entry]) => ({
      endpoint,
      count: countOf(entry, unique),
    }));
    return rows.sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1));
  }

  /** Calls, or sessions when `unique`, of a method, or of one of its endpoints (0 for an unknown one). */
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

/** Time since the start as `<D>d <H>h <M>m <S>s` (`docs/interface/info.yml`, uptime). */
export function uptimeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return (
    `${Math.floor(seconds / 86400)}d ${Math.floor(seconds / 3600) % 24}h ${Math.floor(seconds / 60) % 60}m ` +
    `${seconds % 60}s`
  );
}

/** A whole number as JSON writes a double, `3.0` (`docs/interface/info.yml`, common rules). */
export function doubleText(count: number): string {
  return Number.isInteger(count) ? `${count}.0` : String(count);
}
