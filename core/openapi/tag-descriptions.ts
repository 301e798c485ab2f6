import { showCategories, type LoadedPlugin } from '@quire/catalog';

/** Descriptions of core's own tags. */
const own: Readonly<Record<string, string>> = {
  admin: 'For administrators: settings, switches, plugins, jobs, licence',
  'api-keys': 'API keys, which callers send as X-API-KEY',
  audit: 'The log of user actions',
  auth: 'Sessions and two-factor authentication',
  automations: 'Pipelines that run by themselves on files of sources, and deliver the results',
  capabilities: 'Operations, programs and limits that are available now',
  config: 'Configuration that clients read when they start',
  console: 'How the console for browsers shows the tools, and files to try them with',
  database: 'Backups of the embedded store',
  health: 'Health, information and metrics, for probes and Prometheus',
  info: 'Status, version and call counts',
  invite: 'Invitations to create an account',
  mcp: 'Agents that speak the Model Context Protocol',
  'mobile-scanner': 'Transfer of images from a phone to a browser',
  pipeline: 'Run several operations in a row; pipelines are checked before they run',
  pipelines: 'Pipelines that are saved under a name and run as tools',
  policies: 'Automations in the form of policies, for existing clients',
  scim: 'Accounts and groups that an identity provider keeps up to date',
  settings: 'Settings that clients read and change',
  signatures: 'Saved images of signatures',
  storage: 'Files, folders and shares stored on the server',
  team: 'Teams and their members',
  'ui-data': 'Data for the pages of client applications',
  user: 'Accounts',
};

/** A tag of the API documentation. */
interface Tag {
  readonly name: string;
  readonly description?: string;
}

/** The tags of tools and pipelines, in the order of the console: categories as plugins declare them, then pipelines. */
export function toolTags(plugins: readonly LoadedPlugin[]): ReadonlySet<string> {
  const categories = showCategories(
    plugins.flatMap(({ plugin }) => plugin.operations),
    plugins.flatMap(({ plugin }) => plugin.categories ?? []),
  );
  return new Set([...categories.map(({ id }) => id), 'pipeline', 'pipelines']);
}

/**
 * Returns the tags in the order of the page: tools first, which most readers look for, then core's own. The description
 * comes from the plugin with the name of the tag, else from a plugin that uses it.
 */
export function describedTags(names: readonly string[], plugins: readonly LoadedPlugin[]): Tag[] {
  const tools = toolTags(plugins);
  const used = new Set(names);
  return [...[...tools].filter((name) => used.has(name)), ...[...used].filter((name) => !tools.has(name)).sort()].map(
    (name) => {
      const description =
        own[name] ??
        (plugins.find(({ category }) => category === name) ?? plugins.find(({ prefixes }) => prefixes.includes(name)))
          ?.description;
      return { name, ...(description === undefined || description === '' ? {} : { description }) };
    },
  );
}
