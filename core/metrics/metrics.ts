import type { PoolStats } from '../operations/workers/index.js';
import type { AllowanceStats } from '../billing/index.js';

/** How a request's caller was recognised; never who it is. */
export type SessionClass = 'anonymous' | 'key' | 'globalKey' | 'session';

/** One answered request. */
export interface MeasuredRequest {
  readonly method: string;
  /** The route's pattern, never the path that was asked for. */
  readonly route: string;
  /** 499 when the client left before the answer was out. */
  readonly status: number;
  readonly session: SessionClass;
  readonly seconds: number;
}

/** What is known of the jobs: how many are in each state, and since when the oldest waits. */
export interface JobStates {
  readonly byState: Readonly<Record<string, number>>;
  readonly oldestQueuedMs: number;
}

/** What is known of one external program. */
export interface ProgramGauge {
  readonly name: string;
  readonly found: boolean;
  readonly running: number;
  readonly waiting: number;
}

/** Where the gauges read from, asked once for every scrape. */
export interface MetricSources {
  readonly version: string;
  pool(): PoolStats;
  programs(): readonly ProgramGauge[];
  /** May reject while the store is away. */
  jobs(): Promise<JobStates>;
  storeUp(): Promise<boolean>;
  allowance(): AllowanceStats;
}

/** What is measured for Prometheus. */
export interface Metrics {
  /** A run of an operation ended: `succeeded`, `failed`, or the code of its error. */
  run(operation: string, seconds: number, outcome: string): void;
  /** A request came in; `request` follows when it is answered. */
  began(): void;
  request(request: MeasuredRequest): void;
  /** The exposition text and its media type. */
  render(): Promise<{ text: string; mediaType: string }>;
}

/** Counts nothing: used while the export is off, so that prom-client is never loaded. */
export const noMetrics: Metrics = {
  run: () => undefined,
  began: () => undefined,
  request: () => undefined,
  render: () => Promise.resolve({ text: '', mediaType: 'text/plain; version=0.0.4' }),
};
