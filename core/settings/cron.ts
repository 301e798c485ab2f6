import { createRequire } from 'node:module';

type Croner = typeof import('croner');

const FIELDS = 6;
/** Spring's name for a schedule that is off. */
const OFF = ['', '-'];

/**
 * Checks a schedule of six fields (second, minute, hour, day of the month, month, day of the week), as Spring writes
 * them. Returns what is wrong.
 */
export function cronFault(pattern: string): string | undefined {
  const text = pattern.trim();
  if (OFF.includes(text)) return undefined;
  const found = text.split(/\s+/).length;
  if (!text.startsWith('@') && found !== FIELDS) return `it has ${found} fields instead of ${FIELDS}`;
  try {
    return opened(text).nextRun() === null ? 'no such date exists' : undefined;
  } catch {
    return 'it cannot be read';
  }
}

/** The first time of a schedule after `after`, in the zone of the machine; undefined for a schedule that is off. */
export function nextCronTime(pattern: string, after: Date): Date | undefined {
  const text = pattern.trim();
  return OFF.includes(text) ? undefined : (opened(text).nextRun(after) ?? undefined);
}

// Most settings files name no schedule, and settings are read synchronously.
const load = createRequire(import.meta.url);

function opened(pattern: string): InstanceType<Croner['Cron']> {
  const { Cron } = load('croner') as Croner;
  // In Spring's schedules, a day has to fit both the day of the month and the day of the week.
  return new Cron(pattern, { paused: true, domAndDow: true });
}
