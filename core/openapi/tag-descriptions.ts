import type { LoadedPlugin } from '@quire/catalog';

/** The headings that are the server's own. */
const own: Readonly<Record<string, string>> = {
  admin: 'For administrators: settings, switches, plugins, jobs, licence',
  'api-keys': 'Keys that callers send as X-API-KEY',
  audit: 'The log of who did what',
  auth: 'Sessions and the second factor',
  capabilities: 'What this server can do now: operations, programs, limits',
  config: 'What clients ask when they start',
  database: 'Backups of the embedded store',
  health: 'Health, information and metrics, for probes and Prometheus',
  info: 'Status, version and counts of calls',
  invite: 'Invitations by which people make accounts',
  'mobile-scanner': 'Pictures from a phone to a browser beside it',
  pipeline: 'Several operations one after the other, checked before they run',
  settings: 'Settings that clients read and change',
  signatures: 'Saved pictures of signatures',
  storage: 'Files, folders and shares that the server keeps',
  team: 'Teams and who is in them',
  'ui-data': 'What the pages of an app show',
  user: 'Accounts',
};

/** A heading of the API documentation and what stands under it. */
interface Tag {
  readonly name: string;
  readonly description?: string;
}

/**
 * The headings in the order of the page: tools first, which most people come for, then the server's own. A plugin's
 * heading is described by the plugin that has its name before those that only serve it, too.
 */
export function describedTags(names: readonly string[], plugins: readonly LoadedPlugin[]): Tag[] {
  const tools = new Set([
    'pipeline',
    ...plugins.flatMap(({ plugin }) => plugin.operations.map(({ path }) => path.split('/')[0] ?? '')),
  ]);
  const all = [...new Set(names)].sort();
  return [...all.filter((name) => tools.has(name)), ...all.filter((name) => !tools.has(name))].map((name) => {
    const description =
      own[name] ??
      (plugins.find(({ category }) => category === name) ?? plugins.find(({ prefixes }) => prefixes.includes(name)))
        ?.description;
    return { name, ...(description === undefined || description === '' ? {} : { description }) };
  });
}
