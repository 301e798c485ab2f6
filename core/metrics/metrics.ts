import type { PoolStats } from '../operations/workers/index.js';
import type { AutomationStats } from '../automation/index.js';
import type { AllowanceStats } from '../billing/index.js';

/** How the caller was authenticated; never who it is. */
export type SessionClass = 'anonymous' | 'key' | 'globalKey' | 'session' | 'token' | 'certificate';

/** One answered request. */
export interface MeasuredRequest {
  readonly method: string;
  /** The route's pattern, never the requested path. */
  readonly route: string;
  /** 499 if the client disconnected before the answer was sent. */
  readonly status: number;
  readonly session: SessionClass;
  readonly seconds: number;
}

/** Number of jobs in each state, and the age of the oldest waiting job. */
export interface JobStates {
  readonly byState: Readonly<Record<string, number>>;
  readonly oldestQueuedMs: number;
}

/** State of one external program. */
export interface ProgramGauge {
  readonly name: string;
  readonly found: boolean;
  readonly running: number;
  readonly waiting: number;
  /** What confines it; undefined for one that is missing. */
  readonly isolation?: readonly string[] | undefined;
}

/** Sources of the gauges, read once per scrape. */
export interface MetricSources {
  readonly version: string;
  pool(): PoolStats;
  programs(): readonly ProgramGauge[];
  /** May reject while the store is unavailable. */
  jobs(): Promise<JobStates>;
  storeUp(): Promise<boolean>;
  allowance(): AllowanceStats;
  /** By the id of the automation. May reject while the store is unavailable. */
  automations(): Promise<AutomationStats>;
}

/** Measurements for Prometheus. */
export interface Metrics {
  /** Records the end of a run: `succeeded`, `failed`, or the code of its error. */
  run(operation: string, seconds: number, outcome: string): void;
  /** Records the arrival of a request; `request` follows when it is answered. */
  began(): void;
  request(request: MeasuredRequest): void;
  /** Returns the metrics in Prometheus text format and their media type. */
  render(): Promise<{ text: string; mediaType: string }>;
}

/** Records nothing; used while the export is off, so that prom-client is never loaded. */
export const noMetrics: Metrics = {
  run: () => undefined,
  began: () => undefined,
  request: () => undefined,
  render: () => Promise.resolve({ text: '', mediaType: 'text/plain; version=0.0.4' }),
};
