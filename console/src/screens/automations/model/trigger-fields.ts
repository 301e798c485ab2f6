import type { ShownField } from '@quire/registry';
import { t } from '../texts.ts';
import type { Options, Schedule, Trigger } from './automation.ts';

export const WEEK = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const WORKING_DAYS: readonly string[] = WEEK.slice(0, 5);
const LONGEST_CRON = 200;

/** The fields of a trigger, except the days of the week. `announces`: the source reports new files itself. */
export function triggerFields(announces: boolean, hasSource: boolean): readonly ShownField[] {
  const types = [
    ...(hasSource && announces ? [{ value: 'arrival', label: t('As files arrive') }] : []),
    ...(hasSource ? [{ value: 'schedule', label: t('On a schedule') }] : []),
    { value: 'manual', label: t('By hand') },
  ];
  const scheduled = { type: 'schedule' } as const;
  return [
    choice('type', t('Starts'), types, 'manual'),
    {
      ...choice(
        'repeat',
        t('Repeats'),
        [
          { value: 'every', label: t('At intervals') },
          { value: 'daily', label: t('Every day') },
          { value: 'weekly', label: t('On days of the week') },
          { value: 'monthly', label: t('Every month') },
          { value: 'cron', label: t('As a cron expression says') },
        ],
        'every',
      ),
      when: scheduled,
    },
    {
      name: 'count',
      label: t('Every'),
      widget: 'number',
      type: 'integer',
      required: true,
      minimum: 1,
      when: { ...scheduled, repeat: 'every' },
    },
    {
      ...choice(
        'unit',
        t('Unit'),
        [
          { value: 'MINUTES', label: t('Minutes') },
          { value: 'HOURS', label: t('Hours') },
          { value: 'DAYS', label: t('Days') },
        ],
        'MINUTES',
      ),
      when: { ...scheduled, repeat: 'every' },
    },
    {
      name: 'dayOfMonth',
      label: t('Day of the month'),
      help: t('Months without that day are left out.'),
      widget: 'number',
      type: 'integer',
      required: true,
      minimum: 1,
      maximum: 31,
      when: { ...scheduled, repeat: 'monthly' },
    },
    {
      name: 'at',
      label: t('Time of day'),
      widget: 'text',
      type: 'text',
      required: true,
      example: '07:30',
      when: { ...scheduled, repeat: ['daily', 'weekly', 'monthly'] },
    },
    {
      name: 'cron',
      label: t('Cron expression'),
      help: t('Minute, hour, day, month, day of the week.'),
      widget: 'text',
      type: 'text',
      required: true,
      longest: LONGEST_CRON,
      example: '0 6 * * MON-FRI',
      when: { ...scheduled, repeat: 'cron' },
    },
    {
      name: 'zone',
      label: t('Time zone'),
      widget: 'text',
      type: 'text',
      required: true,
      example: 'Europe/Berlin',
      when: { ...scheduled, repeat: ['daily', 'weekly', 'monthly', 'cron'] },
    },
    {
      ...choice(
        'missed',
        t('Times that were missed'),
        [
          { value: 'once', label: t('Run once when the server is back') },
          { value: 'skip', label: t('Leave them out') },
        ],
        'once',
      ),
      advanced: true,
      when: scheduled,
    },
  ];
}

function choice(name: string, label: string, values: ShownField['values'] & object, initial: string): ShownField {
  return { name, label, widget: 'choice', type: 'text', required: false, default: initial, values };
}

/** The values of the form for a trigger. */
export function triggerValues({ type, cron, schedule, zone, missed = 'once' }: Trigger): Record<string, unknown> {
  return {
    count: 15,
    dayOfMonth: 1,
    at: '06:00',
    days: WORKING_DAYS,
    ...schedule,
    type,
    repeat: cron === undefined ? (schedule?.type ?? 'every') : 'cron',
    cron,
    zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    missed,
  };
}

/** The trigger that the typed values of the form describe. */
export function triggerOf(values: Options, days: ReadonlySet<string>): Trigger {
  const { type, repeat, missed, zone, cron, count, unit, at, dayOfMonth } = values;
  if (type !== 'schedule') return { type: type as Trigger['type'] };
  const shared = { type, missed: missed as 'once' | 'skip', zone: (zone as string | undefined) ?? 'UTC' } as const;
  if (repeat === 'cron') return { ...shared, cron: cron as string };
  const entered: Readonly<Record<string, Omit<Schedule, 'type'>>> = {
    every: { count: count as number, unit: unit as 'MINUTES' | 'HOURS' | 'DAYS' },
    daily: { at: at as string },
    weekly: { at: at as string, days: WEEK.filter((day) => days.has(day)) },
    monthly: { at: at as string, dayOfMonth: dayOfMonth as number },
  };
  return { ...shared, schedule: { type: repeat as Schedule['type'], ...entered[repeat as string] } };
}
