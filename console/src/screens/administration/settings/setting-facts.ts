/** A setting as `GET /api/v1/admin/settings/described` returns it. */
export interface Setting {
  readonly key: string;
  readonly meaning: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'strings' | 'integers' | 'objects' | 'plugins' | 'operations';
  readonly nullable: boolean;
  readonly default: unknown;
  readonly allowed?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly secret: boolean;
  readonly fileOnly: boolean;
  /** The variable that sets it now. */
  readonly environment?: string;
  readonly acts: boolean;
  /** Why it does not act, and what to use instead. */
  readonly instead?: string;
  readonly origin: string;
  readonly value: unknown;
  /** After a restart, if it differs. */
  readonly pending?: unknown;
}

/** What the settings file will contain: the value that waits for a restart, else the one of now. */
export function savedValue(setting: Setting): unknown {
  return 'pending' in setting ? setting.pending : setting.value;
}

/** A value as the editor's text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value);
}

/** The value that a text of the editor means; the server decides whether it is allowed. */
export function fromText(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case 'boolean':
      return text === '' && setting.nullable ? null : text === 'true';
    case 'integer':
      return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
    case 'strings':
      return lines(text);
    case 'integers':
      return lines(text).map((line) => (/^-?\d+$/.test(line) ? Number(line) : line));
    case 'string':
      return text;
    default:
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
