import { InputError, type JoiRoot } from '@quire/registry';
import type { Automation } from '../automations/model.js';
import { jobUuidOf } from '../items/item-record.js';
import type { ItemStore } from '../items/item-store.js';
import type { AutomationEngine } from '../runs/engine.js';
import type { Listing } from '../triggers/list-source.js';
import { listOf } from './list-of.js';

export const triggeredSchema = (joi: JoiRoot) => {
  const count = (meaning: string) => joi.number().integer().min(0).required().description(meaning);
  return joi
    .object({
      listed: count('Files that pass the filters'),
      taken: count('Files that are processed now'),
      delivered: count('Files that were processed before and are unchanged'),
      parked: count('Files that failed before and are unchanged'),
      inFlight: count('Files that wait or are being processed'),
      problems: listOf(joi, 'AutomationSourceProblem', {
        source: joi.string(),
        code: joi.string(),
        detail: joi.string(),
      }).description('Sources that could not be listed'),
    })
    .label('AutomationTriggered');
};

/** Lists the sources of an automation. Throws AUTOMATION_CONFLICT when it has none. */
export async function triggered(engine: Pick<AutomationEngine, 'trigger'>, automation: Automation) {
  if (!automation.content.inputs.some(({ source }) => source !== null))
    throw new InputError('AUTOMATION_CONFLICT', {
      detail: `The automation "${automation.name}" has no source; run it with files instead`,
    });
  const found = await engine.trigger(automation);
  const listings = found.filter((one): one is Listing => 'taken' in one);
  const sum = (of: (listing: Listing) => number): number => listings.reduce((total, one) => total + of(one), 0);
  const counts = {
    listed: sum(({ listed }) => listed),
    delivered: sum(({ delivered }) => delivered),
    parked: sum(({ parked }) => parked),
    inFlight: sum(({ inFlight }) => inFlight),
  };
  const problems = found.flatMap((one) =>
    'taken' in one ? [] : [{ source: one.sourceId, code: one.code, detail: one.detail }],
  );
  return {
    native: { ...counts, taken: sum(({ taken }) => taken.length), problems },
    taken: listings.flatMap(({ taken }) => taken),
  };
}

export const policyTriggeredSchema = (joi: JoiRoot) =>
  joi
    .object({
      runIds: joi.array().items(joi.string()).required().description('Ids that the runs will have'),
      filesListed: joi.number().integer().required(),
      alreadyProcessed: joi.number().integer().required(),
      parked: joi.number().integer().required(),
      inFlight: joi.number().integer().required(),
    })
    .label('PolicyTriggered');

/** As `triggered`, in the form of policies. */
export async function policyTriggered(
  engine: Pick<AutomationEngine, 'trigger'>,
  items: Pick<ItemStore, 'get'>,
  automation: Automation,
) {
  const { native, taken } = await triggered(engine, automation);
  const { listed, delivered, parked, inFlight } = native;
  const begun = await Promise.all(taken.map((id) => items.get(id)));
  const owner = automation.ownerId === '' ? '' : `${automation.ownerName ?? automation.ownerId}:`;
  const runIds = begun.flatMap((item) =>
    item === undefined ? [] : [`${owner}${jobUuidOf({ ...item, attempts: Math.max(1, item.attempts) })}`],
  );
  return { runIds, filesListed: listed, alreadyProcessed: delivered, parked, inFlight };
}
