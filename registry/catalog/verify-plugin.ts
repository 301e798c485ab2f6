import { tokens, type JoiRoot, type Plugin, type ShownCategory, type Token } from '@quire/registry';
import type { BuiltSchema } from './verify-schema.js';
import { verifyEndpoint } from './verify-endpoint.js';
import { verifyIcon, verifyLabel, verifyTemplate } from './presentation/index.js';
import { verifyOperation } from './verify-operation.js';
import type { Report } from './verify-shared.js';

/** Longest title of a category in characters. */
const LONGEST_CATEGORY = 30;

/** The faults of a plugin, and the schema of each operation that builds. */
export interface PluginVerdict {
  /** One sentence per fault; empty for a valid plugin. */
  readonly faults: readonly string[];
  readonly schemas: ReadonlyMap<string, BuiltSchema['schema']>;
}

/** Checks every declaration of a plugin and lists all faults; does not throw for a faulty declaration. */
export function verifyPlugin(plugin: Plugin, prefixes: readonly string[], joi: JoiRoot): PluginVerdict {
  const faults: string[] = [];
  const schemas = new Map<string, BuiltSchema['schema']>();
  const own = (plugin.services ?? []).map(({ token }) => token);
  const guarded = (name: () => string, check: (report: (fault: string) => void) => void): void => {
    let title = 'a declaration';
    try {
      title = name();
      check((fault) => faults.push(`${title}: ${fault}`));
    } catch (error) {
      faults.push(`${title}: it cannot be read: ${(error as Error).message}.`);
    }
  };
  for (const operation of plugin.operations) {
    guarded(
      () => `operation ${String(operation?.path)}`,
      (report) => {
        const built = verifyOperation(operation, prefixes, joi, report, own);
        if (schemas.has(operation.path)) report('is declared twice in this plugin.');
        if (built !== undefined) schemas.set(operation.path, built.schema);
      },
    );
  }
  for (const category of plugin.categories ?? [])
    guarded(
      () => `category ${String(category?.id)}`,
      (report) => verifyCategory(category, prefixes, report),
    );
  for (const template of plugin.templates ?? [])
    guarded(
      () => `template ${String(template?.id)}`,
      (report) => verifyTemplate(template, report),
    );
  const ids = new Set<string>();
  const addresses = new Set<string>();
  for (const endpoint of plugin.endpoints) {
    guarded(
      () => `endpoint ${String(endpoint?.id)}`,
      (report) => {
        verifyEndpoint(endpoint, prefixes, joi, report);
        if (ids.has(endpoint.id)) report('is declared twice in this plugin.');
        ids.add(endpoint.id);
        const address = `${endpoint.method} ${String(endpoint.path).replace(/\{[^}]+\}/g, '{}')}`;
        if (addresses.has(address) || (endpoint.method === 'POST' && schemas.has(endpoint.path)))
          report(`${endpoint.method} ${endpoint.path} is declared twice in this plugin.`);
        addresses.add(address);
      },
    );
  }
  const tasks = new Set<string>();
  for (const task of plugin.tasks ?? []) {
    if (typeof task?.name !== 'string' || !/^[a-z][A-Za-z0-9.-]*$/.test(task.name) || typeof task.run !== 'function')
      faults.push('tasks has an item that is not { name, run }.');
    else if (tasks.has(task.name)) faults.push(`the task ${task.name} is declared twice in this plugin.`);
    else tasks.add(task.name);
  }
  for (const binding of plugin.services ?? []) {
    if (typeof binding?.token?.symbol !== 'symbol' || typeof binding.create !== 'function')
      faults.push('services has an item that is not { token, create }.');
  }
  const open = Object.values(tokens)
    .filter((known: Token<unknown>) => known.offered === true)
    .map(({ name }) => name);
  for (const binding of plugin.offers ?? []) {
    if (typeof binding?.token?.symbol !== 'symbol' || typeof binding.create !== 'function')
      faults.push('offers has an item that is not { token, create }.');
    else if (!open.includes(binding.token.name))
      faults.push(`offers the service ${binding.token.name}; allowed are ${open.join(', ')}.`);
  }
  return { faults, schemas };
}

function verifyCategory({ id, title, icon, order }: ShownCategory, prefixes: readonly string[], report: Report): void {
  if (!prefixes.includes(id)) report(`its id is not in quire.prefixes (${prefixes.join(', ')}).`);
  verifyLabel(title, 'its title', LONGEST_CATEGORY, report);
  if (icon === undefined) report('has no icon.');
  verifyIcon(icon, report);
  if (!Number.isFinite(order)) report(`order is ${JSON.stringify(order)}; it must be a number.`);
}

/** Checks the options of the settings against the plugin's schema; returns the converted options or the faults. */
export function verifyOptions(
  plugin: Plugin,
  options: Readonly<Record<string, unknown>>,
  joi: JoiRoot,
): { readonly options: Readonly<Record<string, unknown>> } | { readonly faults: readonly string[] } {
  if (plugin.options === undefined) {
    return Object.keys(options).length === 0
      ? { options }
      : { faults: [`options are set (${Object.keys(options).join(', ')}), but the plugin has no options.`] };
  }
  try {
    const { value, error } = plugin.options(joi).validate(options, { abortEarly: false, convert: true });
    return error === undefined
      ? { options: Object.freeze(value as Record<string, unknown>) }
      : { faults: error.details.map(({ message }) => `options: ${message}.`) };
  } catch (error) {
    return { faults: [`its options schema does not build: ${(error as Error).message}.`] };
  }
}
