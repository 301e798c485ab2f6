import type { ScheduleTrigger, ContractSchedule } from '../automations/model.js';

type Croner = typeof import('croner');

const UNIT_MS = { MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 } as const;
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** What is wrong with a schedule; `pointer` is relative to the trigger. */
export interface ScheduleFault {
  readonly pointer: string;
  readonly detail: string;
}

/**
 * The first firing after a time, both in milliseconds since 1970; null when there is none (30 February). Between two
 * firings of `every` lie as many units; other schedules follow the clock of their zone, also when it changes to summer
 * time: an hour that does not exist fires right after it, and one that happens twice fires once.
 */
export async function nextFiring(trigger: ScheduleTrigger, afterMs: number): Promise<number | null> {
  const { schedule, zone } = trigger;
  if (schedule?.type === 'every') return afterMs + (schedule.count ?? 1) * UNIT_MS[schedule.unit ?? 'MINUTES'];
  const cron = patternOf(trigger);
  return (await open(cron, zone)).nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** Checks a schedule and returns every fault. */
export async function scheduleFaults(trigger: ScheduleTrigger, now: Date): Promise<readonly ScheduleFault[]> {
  const { cron, schedule, zone } = trigger;
  const faults: ScheduleFault[] = [];
  if (!isZone(zone))
    faults.push({
      pointer: '/zone',
      detail: `"${zone}" is not a time zone; send a name of the IANA list, for example Europe/Berlin or UTC`,
    });
  if ((cron === undefined) === (schedule === undefined))
    return [...faults, { pointer: '', detail: 'must have either cron or schedule' }];
  if (schedule !== undefined) {
    const wrong = contractFaults(schedule);
    if (wrong.length > 0 || schedule.type === 'every') return [...faults, ...wrong];
  }
  const pointer = cron === undefined ? '/schedule' : '/cron';
  const parts = cron?.trim().split(/\s+/).length ?? 6;
  if (parts < 5 || parts > 6)
    return [...faults, { pointer, detail: `must have five fields, or six with seconds first; found ${parts}` }];
  try {
    const found = (await open(patternOf(trigger), 'UTC')).nextRun(now);
    if (found === null) faults.push({ pointer, detail: 'never fires: no such date exists' });
  } catch (error) {
    faults.push({ pointer, detail: `is not a schedule: ${reasonOf(error)}` });
  }
  return faults;
}

function patternOf({ cron, schedule }: ScheduleTrigger): string {
  if (cron !== undefined || schedule === undefined) return cron ?? '';
  const [, hours = '0', minutes = '0', seconds = '0'] = TIME.exec(schedule.at ?? '') ?? [];
  const time = `${Number(seconds)} ${Number(minutes)} ${Number(hours)}`;
  if (schedule.type === 'monthly') return `${time} ${schedule.dayOfMonth ?? 1} * *`;
  const days = (schedule.days ?? []).map((day) => DAYS.indexOf(day as (typeof DAYS)[number]));
  return `${time} * * ${schedule.type === 'weekly' ? days.join(',') : '*'}`;
}

function contractFaults({ type, count, unit, at, days, dayOfMonth }: ContractSchedule): ScheduleFault[] {
  const faults: ScheduleFault[] = [];
  const report = (member: string, detail: string): void => void faults.push({ pointer: `/schedule/${member}`, detail });
  if (type === 'every') {
    if (count === undefined || !Number.isSafeInteger(count) || count < 1)
      report('count', 'must be a whole number of at least 1');
    if (unit === undefined) report('unit', 'must be MINUTES, HOURS or DAYS');
    return faults;
  }
  if (!TIME.test(at ?? '')) report('at', `must be a time of day such as 07:30; found ${JSON.stringify(at ?? null)}`);
  if (type === 'weekly') {
    const unknown = (days ?? []).find((day) => !DAYS.includes(day as (typeof DAYS)[number]));
    if (unknown !== undefined) report('days', `"${unknown}" is not a day; allowed are ${DAYS.join(', ')}`);
    else if ((days ?? []).length === 0) report('days', 'must name at least one day');
  }
  if (type === 'monthly' && (dayOfMonth === undefined || dayOfMonth < 1 || dayOfMonth > 31))
    report('dayOfMonth', 'must be from 1 to 31');
  return faults;
}

let croner: Promise<Croner> | undefined;

async function open(pattern: string, timezone: string): Promise<InstanceType<Croner['Cron']>> {
  const { Cron } = await (croner ??= import('croner'));
  return new Cron(pattern, { timezone, paused: true });
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The library's reason without its own names. */
function reasonOf(error: unknown): string {
  return String((error as Error).message)
    .replace(/^Cron\w+: /, '')
    .slice(0, 200);
}
