import type { JoiRoot } from '@quire/registry';
import {
  usualContent,
  type Automation,
  type AutomationContent,
  type AutomationInput,
  type DestinationSpec,
  type Trigger,
} from '../automations/model.js';
import type { SentAutomation } from '../automations/automations.js';
import { itemStates } from '../items/item-record.js';
import type { ItemCounts } from '../items/history.js';
import type { LastingFault } from '../runs/engine.js';
import { stepSchema } from './pipeline-wire.js';
import { listOf } from './list-of.js';

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const HOUR_MS = 3_600_000;

/** Ids are parts of addresses; UUIDs unless a client has chosen one. */
export const idField = (joi: JoiRoot) =>
  joi.string().pattern(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and -, at most 64');

const triggerSchema = (joi: JoiRoot) =>
  joi
    .object({
      type: joi
        .string()
        .valid('manual', 'arrival', 'schedule')
        .required()
        .description('`arrival`: as soon as a file has arrived; `manual`: only when somebody starts it'),
      cron: joi
        .string()
        .max(200)
        .description('Of a schedule: minute, hour, day, month, weekday; six fields begin with seconds')
        .example('0 6 * * MON-FRI'),
      schedule: joi
        .object({
          type: joi.string().valid('every', 'daily', 'weekly', 'monthly').required(),
          count: joi.number().integer().min(1).max(100_000),
          unit: joi.string().valid('MINUTES', 'HOURS', 'DAYS'),
          at: joi.string().max(8).description('Time of day: `07:30`'),
          days: joi.array().items(joi.string().valid(...DAYS)),
          dayOfMonth: joi.number().integer().min(1).max(31),
        })
        .label('AutomationSchedule')
        .description('In place of `cron`'),
      zone: joi.string().max(100).description('Time zone of the schedule; default UTC').example('Europe/Berlin'),
      missed: joi
        .string()
        .valid('once', 'skip')
        .description('What becomes of times that passed while the server was stopped; default `once`'),
    })
    .label('AutomationTrigger');

const contentKeys = (joi: JoiRoot, fewestSteps: number) => ({
  description: joi.string().allow('').max(2000).default(''),
  work: joi
    .object({
      pipeline: joi
        .alternatives()
        .try(joi.string().max(100), joi.array().min(fewestSteps).items(stepSchema(joi, 'AutomationStep')))
        .required()
        .description('Name of a saved pipeline (`stamp`, `stamp@3` for its third version), or steps'),
      values: joi.object().unknown().default({}).description('Values for its inputs'),
    })
    .label(fewestSteps === 0 ? 'ShownAutomationWork' : 'AutomationWork')
    .required(),
  inputs: joi
    .array()
    .max(50)
    .items(
      joi
        .object({
          source: idField(joi).allow(null).default(null).description('Id of a source; null: only uploads'),
          trigger: triggerSchema(joi).default({ type: 'manual' }),
        })
        .label('AutomationInput'),
    )
    .default([]),
  destinations: joi
    .array()
    .max(20)
    .items(
      joi
        .object({
          id: joi.string().max(64).description('Made by the server; send it back when you change the automation'),
          type: joi.string().max(50).required(),
          options: joi.object().unknown().default({}).description('Depend on the type; secrets are shown as ********'),
        })
        .label('AutomationDestination'),
    )
    .default([])
    .description('Each result goes to all of them; without any, results stay with the run'),
  filters: joi
    .object({
      names: joi.array().max(100).items(joi.string().max(200)).default([]).description('`*` and `?` stand for others'),
      kinds: joi.array().max(100).items(joi.string().max(20)).default([]).description('Extensions: `pdf`'),
      minBytes: joi.number().integer().min(0).allow(null).default(null),
      maxBytes: joi.number().integer().min(0).allow(null).default(null),
    })
    .label('AutomationFilters')
    .default(usualContent.filters)
    .description('Only files that pass all of them are taken'),
  quietMs: joi
    .number()
    .integer()
    .min(0)
    .max(HOUR_MS)
    .default(usualContent.quietMs)
    .description('Milliseconds for which a file must not have changed'),
  once: joi
    .string()
    .valid('version', 'content')
    .default(usualContent.once)
    .description('`version`: a changed file is processed again; `content`: never the same bytes twice'),
  order: joi.string().valid('oldest', 'name').default(usualContent.order),
  concurrency: joi
    .number()
    .integer()
    .min(1)
    .max(64)
    .default(usualContent.concurrency)
    .description('Files at once; with 2 or more, small files that wait share jobs'),
  retry: joi
    .object({
      times: joi.number().integer().min(0).max(20).default(usualContent.retry.times),
      firstMs: joi.number().integer().min(100).max(HOUR_MS).default(usualContent.retry.firstMs),
    })
    .label('AutomationRetry')
    .default(usualContent.retry)
    .description('For failures that may pass; each pause is four times the one before, one hour at most'),
});

/** What an automation has where nobody says otherwise, for forms. */
export const usualSchema = (joi: JoiRoot) => {
  const { filters, quietMs, once, order, concurrency, retry } = contentKeys(joi, 0);
  return joi.object({ filters, quietMs, once, order, concurrency, retry }).label('AutomationDefaults');
};

export const nameSchema = (joi: JoiRoot) => joi.string().trim().min(1).max(80);

/** The body of a new or changed automation. */
export const sentAutomation = (joi: JoiRoot) =>
  joi.object({
    name: nameSchema(joi).required().description('Unique in the team').example('Stamp invoices'),
    enabled: joi.boolean().default(true).description('Whether schedules and arrivals start it'),
    ...contentKeys(joi, 1),
  });

export const automationSchema = (joi: JoiRoot) => {
  const count = () => joi.number().integer().min(0).required();
  return joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      enabled: joi.boolean().required(),
      owner: joi.string().allow(null).required(),
      revision: joi.number().integer().required(),
      createdAt: joi.string().isoDate().required(),
      savedAt: joi.string().isoDate().required(),
      editable: joi.boolean().required().description('Whether you may change it'),
      folder: joi
        .object({ id: joi.string().required(), path: joi.string().required() })
        .label('AutomationFolder')
        .allow(null)
        .required()
        .description(
          'The watched folder that it is, `admin/watched-folders/{id}`: its steps are those of the pipeline file in ' +
            'that folder, without passwords, and none if it cannot be read. Null for one that was saved',
        ),
      storageFolder: joi.string().allow(null).required().description('Stored folder that it processes'),
      ...contentKeys(joi, 0),
      nextStart: joi.string().isoDate().allow(null).required().description('When a schedule starts it next'),
      files: countsSchema(joi).required(),
      problems: listOf(joi, 'AutomationProblem', {
        source: joi.string().allow(null),
        code: joi.string(),
        detail: joi.string(),
        since: joi
          .string()
          .isoDate()
          .description('When it failed first since it was listed; absent with `source` null'),
      }).description(
        'Sources that could not be listed when the answering server last tried; with `source` null, an owner ' +
          'who is gone, or why a watched folder is not processed',
      ),
    })
    .label('Automation');

  function countsSchema(root: JoiRoot) {
    return root
      .object(Object.fromEntries(itemStates.map((state) => [state, count()])))
      .label('AutomationFileCounts')
      .description('Files by state');
  }
};

/** What is shown beside what an automation is. */
export interface AutomationFacts {
  readonly editable: boolean;
  /** Path of the watched folder that it is. */
  readonly folder?: string;
  readonly nextStart: number | null;
  readonly counts: ItemCounts;
  readonly problems: readonly LastingFault[];
}

/** `shown`: the content without secrets. */
export function automationWire(
  { id, name, enabled, ownerName, revision, createdAt, savedAt, storageFolder }: Automation,
  content: AutomationContent,
  { editable, folder, nextStart, counts, problems }: AutomationFacts,
) {
  const { policy: _, ...own } = content;
  return {
    id,
    name,
    enabled,
    owner: ownerName,
    revision,
    createdAt: new Date(createdAt).toISOString(),
    savedAt: new Date(savedAt).toISOString(),
    editable,
    folder: folder === undefined ? null : { id, path: folder },
    storageFolder: storageFolder ?? null,
    ...own,
    nextStart: instant(nextStart),
    files: counts,
    problems: problems.map(({ sourceId, code, detail, since }) => ({
      source: sourceId,
      code,
      detail,
      ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    })),
  };
}

/** The body as it was validated. */
type SentBody = Omit<AutomationContent, 'inputs' | 'destinations'> & {
  readonly name: string;
  readonly enabled: boolean;
  readonly inputs: readonly { readonly source: string | null; readonly trigger: SentTrigger }[];
  readonly destinations: readonly (Omit<DestinationSpec, 'id'> & { readonly id?: string })[];
};

type SentTrigger = { readonly type: Trigger['type'] } & Partial<
  Pick<Extract<Trigger, { type: 'schedule' }>, 'cron' | 'schedule' | 'zone' | 'missed'>
>;

export function sentOf(payload: Readonly<Record<string, unknown>>): SentAutomation {
  const { name, enabled, inputs, destinations, ...content } = payload as unknown as SentBody;
  return {
    name,
    enabled,
    content: {
      ...content,
      inputs: inputs.map(({ source, trigger }): AutomationInput => ({ source, trigger: triggerOf(trigger) })),
      destinations: destinations.map((one) => ({ id: '', ...one })),
    },
  };
}

function triggerOf({ type, cron, schedule, zone = 'UTC', missed = 'once' }: SentTrigger): Trigger {
  if (type !== 'schedule') return { type };
  return {
    type,
    zone,
    missed,
    ...(cron === undefined ? {} : { cron }),
    ...(schedule === undefined ? {} : { schedule }),
  };
}

/** RFC 3339; null for never. */
export function instant(ms: number | null): string | null {
  return ms === null || ms > 8.64e15 ? null : new Date(ms).toISOString();
}
