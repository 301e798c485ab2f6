import type { Schedule, Trigger } from './automation.ts';
import { WEEK } from './trigger-fields.ts';

const UNIT_MS = { MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 } as const;

/** The next times of a schedule, as the server finds them; none for one that is not complete. */
export async function nextTimes({ cron, schedule, zone = 'UTC' }: Trigger, many: number): Promise<readonly Date[]> {
  if (schedule?.type === 'every') {
    const pause = (schedule.count ?? 0) * UNIT_MS[schedule.unit ?? 'MINUTES'];
    return pause > 0 ? Array.from({ length: many }, (_, i) => new Date(Date.now() + pause * (i + 1))) : [];
  }
  try {
    // The server's own library: both agree about summer time.
    const { Cron } = await import('croner');
    return new Cron(cron ?? patternOf(schedule), { timezone: zone, paused: true }).nextRuns(many);
  } catch {
    return [];
  }
}

/** A cron expression for a time of day; one that is refused if there is none. */
function patternOf({ type, at = '', days = [], dayOfMonth = 1 }: Partial<Schedule> = {}): string {
  const [hours = '', minutes = '', seconds = '0'] = at.split(':');
  const numbers = days.map((day) => (WEEK.findIndex((one) => one === day) + 1) % 7).join(',');
  const day = type === 'monthly' ? dayOfMonth : '*';
  return `${seconds} ${minutes} ${hours} ${day} * ${type === 'weekly' ? numbers : '*'}`;
}
