import type Joi from 'joi';
import type { Endpoint } from './endpoint.js';
import type { AnyOperation, JoiRoot } from './operation.js';
import type { PipelineTemplate, ShownCategory } from './presentation.js';
import type { Logger } from './tokens.js';
import type { Token } from './token.js';
import type { AnyWorkerTask } from './worker-task.js';

/** The brand by which the loader recognises a plugin; a string, so that two copies of this package agree. */
export const pluginBrand: unique symbol = Symbol.for('quire.plugin') as never;

/** The services of a plugin at start. */
export interface PluginContext {
  readonly options: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  use<T>(token: Token<T>): T;
}

/** A service for this plugin's own endpoints and host operations; never for other plugins. */
export interface ServiceBinding<T = unknown> {
  readonly token: Token<T>;
  readonly create: (ctx: PluginContext) => T;
}

/** The default export of a plugin package. */
export interface PluginDefinition {
  readonly operations?: readonly AnyOperation[];
  readonly endpoints?: readonly Endpoint[];
  /** Titles and icons of its categories (first parts of its paths). Of several plugins' the first counts. */
  readonly categories?: readonly ShownCategory[];
  /** Pipelines for common needs, shown where the operations of all their steps are loaded. */
  readonly templates?: readonly PipelineTemplate[];
  /** Document work that its endpoints and services run in workers, by `tokens.workerTasks`. */
  readonly tasks?: readonly AnyWorkerTask[];
  /** Schema of `plugins[].options` in the settings. */
  readonly options?: (joi: JoiRoot) => Joi.ObjectSchema;
  readonly services?: readonly ServiceBinding[];
  /**
   * Services for every plugin, under tokens of the registry that are marked as offered; each may be offered by one
   * plugin.
   */
  readonly offers?: readonly ServiceBinding[];
  /** Called once, before the server listens. */
  readonly start?: (ctx: PluginContext) => Promise<void>;
  /** Called once, after the last request. */
  readonly stop?: (ctx: PluginContext) => Promise<void>;
}

export interface Plugin extends PluginDefinition {
  readonly [pluginBrand]: true;
  readonly operations: readonly AnyOperation[];
  readonly endpoints: readonly Endpoint[];
}

/** Declares a plugin. Importing its module must have no side effects. */
export function definePlugin(definition: PluginDefinition): Plugin {
  return Object.freeze({ operations: [], endpoints: [], ...definition, [pluginBrand]: true as const });
}

/** Returns whether a value was created by any copy of `definePlugin`. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[pluginBrand] === true;
}
