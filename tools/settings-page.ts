import { environmentName, knownKeys } from '../core/settings/index.js';

type KnownKey = (typeof knownKeys)[number];

/** Returns the reference page of all settings, one table for each section (`server`, `limits`, …). */
export function settingsPage(): string {
  const lines = [
    '# Settings',
    '',
    'Every setting with its default and meaning. Set what you want to change in `<base>/configs/settings.yml` ' +
      '(the base folder is `./data`, or `QUIRE_BASE_PATH`) or in the environment, which takes precedence. An ' +
      'unknown key or invalid value stops the start; the message suggests the nearest valid one. `npm run ' +
      'settings` prints every effective value and where it comes from.',
    '',
    'Sizes are written as `100MB` or `2GB`. Settings marked *no effect* are accepted so that an existing ' +
      'settings file works, and say what to use instead; the start warns ' +
      'about those that differ from the default. Those marked *not by HTTP* name files, folders or programs ' +
      'of the machine, or the store: administrators cannot change them while the server runs. Those marked ' +
      '*secret* can also be the content of a file: add `_FILE` to the environment name and set it to the path ' +
      '([secrets](../guides/administration.md#secrets)).',
    '',
  ];
  const sections = [...new Set(knownKeys.map(({ path }) => path.split('.')[0] ?? ''))].sort((a, b) => (a < b ? -1 : 1));
  for (const section of sections) {
    lines.push(`## ${section}`, '', '| Setting | Environment | Default | Meaning |', '|---|---|---|---|');
    for (const key of knownKeys.filter(({ path }) => path.split('.')[0] === section)) {
      const allowed =
        key.allowed === undefined ? '' : ` Allowed: ${key.allowed.map((one) => `\`${one}\``).join(', ')}.`;
      const range = rangeText(key.min, key.max);
      const meaning = `${key.meaning.charAt(0).toUpperCase()}${key.meaning.slice(1)}`.replace(/\.?$/, '.');
      lines.push(
        `| \`${key.path}\` | \`${environmentName(key.path)}\` | ${defaultText(key.default)} | ` +
          `${`${meaning}${allowed}${range}${marks(key)}`.replaceAll('|', '\\|')} |`,
      );
    }
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function marks({ instead, fileOnly, secret }: KnownKey): string {
  return [
    secret === true ? ' *Secret.*' : '',
    instead === undefined ? '' : ` *No effect:* ${instead}`,
    fileOnly === true ? ' *Not by HTTP.*' : '',
  ].join('');
}

function defaultText(value: unknown): string {
  if (value === '' || value === null || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}') return '';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function rangeText(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` From ${min} to ${max}.`;
  if (min !== undefined) return ` At least ${min}.`;
  return max === undefined ? '' : ` At most ${max}.`;
}
