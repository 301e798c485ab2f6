import type { SettingsReader } from './settings-reader.js';

/** A named service. Identity is the string behind the symbol, so two copies of this package agree. */
export interface Token<T> {
  readonly symbol: symbol;
  readonly name: string;
  /** Carries the type only; never present at run time. */
  readonly __type?: T;
  /**
   * Methods that an operation in a worker process may call too, by message; absent for a service of the server alone.
   */
  readonly crossing?: Crossing;
  /** How often a run's worker may call a method, where that is bounded; the call beyond it is refused. */
  readonly callsPerRun?: Readonly<Record<string, number>>;
  /** True for a service that a plugin gives to all others (`offers`); core has a stand-in for where none does. */
  readonly offered?: true;
  /** Members that a worker has without a call, made of the settings that it may read. */
  readonly inWorkers?: (settings: SettingsReader) => object;
}

/** Arguments of each method that may cross, in order. Results cross as JSON, errors by their codes. */
export type Crossing = Readonly<Record<string, readonly CrossingArgument[]>>;

/**
 * What an argument is when a call crosses from a worker to the server: plain JSON; a file to read (the run's own input
 * or in its private folder); a file to write (in that folder, where nothing is yet); who asked for the run, which the
 * server itself fills in, whatever the worker says; or the signal that ends the call.
 */
export type CrossingArgument = 'value' | 'input' | 'output' | 'caller' | 'signal';
