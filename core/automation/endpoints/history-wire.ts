import type { JoiRoot } from '@quire/registry';
import { itemStates, itemTriggers, runIdOf, type ShownItem } from '../items/item-record.js';
import { runStates, type RunRecord } from '../runs/run-records.js';
import { instant } from './automation-wire.js';
import { listOf } from './list-of.js';

export const itemSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      source: joi.string().allow(null).required().description('Null for files that were uploaded'),
      name: joi.string().allow('').required(),
      size: joi.number().integer().required(),
      state: joi
        .string()
        .valid(...itemStates)
        .required(),
      since: joi.string().isoDate().required().description('When it got this state'),
      foundAt: joi.string().isoDate().required(),
      nextAttempt: joi.string().isoDate().allow(null).required(),
      attempts: joi.number().integer().required(),
      trigger: joi
        .string()
        .valid(...itemTriggers)
        .required(),
      runId: joi.string().allow(null).required(),
      jobId: joi.string().allow(null).required().description('Of its run; small files share jobs'),
      reason: joi
        .object({ code: joi.string().required(), detail: joi.string().allow('').required() })
        .label('AutomationFileReason')
        .allow(null)
        .required()
        .description('Why it waits or is parked'),
      places: joi.array().items(joi.string()).required().description('Where its results were delivered'),
    })
    .label('AutomationFile');

export function itemWire(item: ShownItem) {
  const { id, sourceId, name, size, state, since, foundAt, nextAt, attempts, trigger, jobId, reason } = item;
  const waits = state === 'waiting' || (state === 'delivering' && item.claim === '');
  return {
    id,
    source: sourceId === '' ? null : sourceId,
    name,
    size,
    state,
    since: new Date(since).toISOString(),
    foundAt: new Date(foundAt).toISOString(),
    nextAttempt: waits ? instant(nextAt) : null,
    attempts,
    trigger,
    runId: runIdOf(item),
    jobId,
    reason,
    places: item.deliveries.flatMap(({ place }) => place ?? []),
  };
}

export const runSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      jobId: joi.string().required().description('Small files share jobs; otherwise the same as `id`'),
      state: joi
        .string()
        .valid(...runStates)
        .required(),
      trigger: joi
        .string()
        .valid(...itemTriggers)
        .required(),
      fileId: joi.string().required().description('`id` of the list of files'),
      inputs: joi.array().items(joi.string().allow('')).required(),
      bytes: joi.number().integer().required(),
      attempt: joi.number().integer().required(),
      startedAt: joi.string().isoDate().required(),
      endedAt: joi.string().isoDate().allow(null).required(),
      stepCount: joi.number().integer().required(),
      outputs: listOf(joi, 'AutomationRunOutput', {
        name: joi.string().required(),
        size: joi.number().integer().required().description('0 where it was not recorded'),
        contentType: joi.string().required(),
        fileId: joi.string().allow(null).required(),
        places: joi.array().items(joi.string()).required(),
      }),
      warnings: joi.array().items(joi.string()).required(),
      steps: joi
        .array()
        .items(runStepSchema(joi))
        .required()
        .description('What each tool did and which one failed, once the pipeline has ended'),
      code: joi.string().allow(null).required(),
      detail: joi.string().allow(null, '').required(),
    })
    .label('AutomationRun');

const runStepSchema = (joi: JoiRoot) => {
  const files = () =>
    joi
      .object({
        count: joi.number().integer().required(),
        bytes: joi.number().integer().description('Of all of them; absent in runs of earlier versions'),
        names: joi.array().items(joi.string()).required().description('Of the first files'),
      })
      .label('AutomationStepFiles')
      .required();
  return joi
    .object({
      index: joi.number().integer().required().description('Its place among all tools of the pipeline'),
      operation: joi.string().required(),
      pointer: joi.string().description('Of a step inside of another one'),
      ms: joi.number().integer().required(),
      received: files(),
      returned: files(),
      warnings: joi.array().items(joi.string()).description('The first ones'),
      error: joi
        .object({
          code: joi.string().required(),
          detail: joi.string().allow('').required(),
          pointer: joi.string().allow('').description('Into the definition of the pipeline'),
          hint: joi.string().description('What to do'),
          file: joi.string().allow('').description('Names of the files of the call that failed'),
        })
        .label('AutomationStepError')
        .description('Why it failed, also if the pipeline went on'),
    })
    .label('AutomationRunStep');
};

export function runWire(record: RunRecord) {
  const { automationId: _, startedBy: __, cancelled: ___, itemId, startedAt, endedAt, steps = [], ...run } = record;
  return {
    ...run,
    jobId: run.jobId ?? run.id,
    steps,
    fileId: itemId,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: instant(endedAt),
  };
}
