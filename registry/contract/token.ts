import type { SettingsReader } from './settings-reader.js';

/** A named service. Identity is the string behind the symbol, so two copies of this package agree. */
export interface Token<T> {
  readonly symbol: symbol;
  readonly name: string;
  /** Carries the type only; never present at run time. */
  readonly __type?: T;
  /**
   * Methods that an operation in a worker process may also call, by message; absent for a service that is available in
   * the server only.
   */
  readonly crossing?: Crossing;
  /** How often a run's worker may call a method; further calls are refused. */
  readonly callsPerRun?: Readonly<Record<string, number>>;
  /** True for a service that a plugin provides to all others (`offers`); core has a fallback when no plugin does. */
  readonly offered?: true;
  /** Members that a worker has without a call, computed from the settings that it may read. */
  readonly inWorkers?: (settings: SettingsReader) => object;
}

/** Arguments of each method that workers may call, in order. Results are sent as JSON, errors by their codes. */
export type Crossing = Readonly<Record<string, readonly CrossingArgument[]>>;

/**
 * The role of an argument in a call from a worker to the server: plain JSON; a file to read (the run's own input or in
 * its private folder); a file to write (in that folder, where none exists yet); the caller of the run, which the server
 * fills in regardless of the worker's value; or the signal that aborts the call.
 */
export type CrossingArgument = 'value' | 'input' | 'output' | 'caller' | 'signal';
