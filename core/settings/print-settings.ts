import type { PluginUse } from './known-key.js';
import type { Settings, SettingsEntry } from './settings.js';

/**
 * Prints every effective value with its origin, secrets as ********; keys without effect say what to use instead.
 * `changedOnly` leaves out what stands as shipped.
 */
export function printSettings(
  settings: Settings,
  { changedOnly = false }: { readonly changedOnly?: boolean } = {},
): string {
  const entries = settings.entries().filter(({ origin }) => !changedOnly || origin !== 'shipped');
  const width = Math.max(
    20,
    ...entries.map((entry) => `${entry.path} = ${shownValue(entry)}`.length).filter((length) => length <= 90),
  );
  const lines = [`Base folder: ${settings.paths.base}`, `Settings files: ${settings.files.join(', ')}`, ''];
  let section = '';
  for (const entry of entries) {
    const head = entry.path.split('.')[0] ?? '';
    if (head !== section && section !== '') lines.push('');
    section = head;
    lines.push(
      `${`${entry.path} = ${shownValue(entry)}`.padEnd(width)}  # ` +
        `${entry.origin}${entry.instead === undefined ? '' : ` (no effect: ${entry.instead})`}`,
    );
  }
  for (const warning of settings.warnings) lines.push('', `Warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}

function shownValue({ path, value }: SettingsEntry): string {
  // A plugin's options may hold secrets that only the plugin knows.
  if (path === 'plugins')
    return JSON.stringify(
      (value as readonly PluginUse[]).map(({ use, optional }) => (optional ? `${use} (optional)` : use)),
    );
  return typeof value === 'string' ? (value === '' ? '(empty)' : value) : JSON.stringify(value);
}
