import type { ShownField } from '@quire/registry';
import { t } from '../texts.ts';
import type { Defaults, Options, SentAutomation } from './automation.ts';

const MEGABYTE = 1_000_000;
const SECOND = 1000;
const MOST_ENTRIES = 100;
const LONGEST_SECONDS = 3600;

/** Which files are taken. */
export function filterFields(): readonly ShownField[] {
  return [
    {
      name: 'names',
      label: t('Names of files'),
      help: t('* stands for any characters, ? for one: invoice-*.pdf. All names if empty.'),
      widget: 'list',
      type: 'list',
      required: false,
      longest: MOST_ENTRIES,
    },
    {
      name: 'kinds',
      label: t('File types'),
      help: t('Extensions, such as pdf. All types if empty.'),
      widget: 'list',
      type: 'list',
      required: false,
      longest: MOST_ENTRIES,
    },
    size('minBytes', t('Smallest size')),
    size('maxBytes', t('Largest size')),
  ];
}

function size(name: string, label: string): ShownField {
  return { name, label, widget: 'number', type: 'number', required: false, minimum: 0, unit: 'MB' };
}

export function filterValues({ names, kinds, minBytes, maxBytes }: SentAutomation['filters']): Options {
  const megabytes = (bytes: number | null): number | null => (bytes === null ? null : bytes / MEGABYTE);
  return { names, kinds, minBytes: megabytes(minBytes), maxBytes: megabytes(maxBytes) };
}

export function filtersOf({ names, kinds, minBytes, maxBytes }: Options): SentAutomation['filters'] {
  const bytes = (megabytes: unknown): number | null =>
    typeof megabytes === 'number' ? Math.round(megabytes * MEGABYTE) : null;
  return {
    names: (names as readonly string[] | undefined) ?? [],
    kinds: ((kinds as readonly string[] | undefined) ?? []).map((kind) => kind.trim().replace(/^\./, '')),
    minBytes: bytes(minBytes),
    maxBytes: bytes(maxBytes),
  };
}

type Advanced = Omit<Defaults, 'filters'>;

/** How files are worked on. */
export function advancedFields(defaults: Advanced): readonly ShownField[] {
  const { once, order, concurrency, quietMs, times, firstMs } = advancedValues(defaults);
  return [
    {
      name: 'once',
      label: t('Each file once'),
      widget: 'choice',
      type: 'text',
      required: false,
      default: once,
      values: [
        { value: 'version', label: t('Again when it has changed') },
        { value: 'content', label: t('Never the same content twice') },
      ],
    },
    {
      name: 'order',
      label: t('Order'),
      widget: 'choice',
      type: 'text',
      required: false,
      default: order,
      values: [
        { value: 'oldest', label: t('Oldest first') },
        { value: 'name', label: t('By name') },
      ],
    },
    number('concurrency', t('Files at once'), { default: concurrency, minimum: 1, maximum: 64 }),
    number('quietMs', t('Wait until a file is unchanged for'), {
      type: 'number',
      default: quietMs,
      minimum: 0,
      maximum: LONGEST_SECONDS,
      unit: 's',
    }),
    number('times', t('Further attempts'), {
      help: t('After failures that may pass, such as a server that is away.'),
      default: times,
      minimum: 0,
      maximum: 20,
    }),
    number('firstMs', t('Pause before the second attempt'), {
      help: t('Each further pause is four times as long, one hour at most.'),
      type: 'number',
      default: firstMs,
      minimum: 0.1,
      maximum: LONGEST_SECONDS,
      unit: 's',
    }),
  ];
}

function number(name: string, label: string, rest: Partial<ShownField>): ShownField {
  return { name, label, widget: 'number', type: 'integer', required: true, ...rest };
}

export function advancedValues({ quietMs, once, order, concurrency, retry }: Advanced) {
  return {
    once,
    order,
    concurrency,
    quietMs: quietMs / SECOND,
    times: retry.times,
    firstMs: retry.firstMs / SECOND,
  };
}

export function advancedOf({ quietMs, once, order, concurrency, times, firstMs }: Options): Advanced {
  return {
    once: once as Advanced['once'],
    order: order as Advanced['order'],
    concurrency: concurrency as number,
    quietMs: Math.round((quietMs as number) * SECOND),
    retry: { times: times as number, firstMs: Math.round((firstMs as number) * SECOND) },
  };
}
