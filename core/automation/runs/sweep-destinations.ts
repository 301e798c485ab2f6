import type { Automation, DestinationSpec } from '../automations/model.js';
import type { Abandoned } from '../connectors/model.js';
import { idOf } from '../connectors/note.js';
import { deliveryIdOf } from '../items/item-record.js';
import type { EngineDeps } from './engine-deps.js';
import { digestOf } from './left-destinations.js';

type Deps = Pick<EngineDeps, 'kinds' | 'items' | 'automations' | 'left' | 'clock'> & {
  readonly log: Pick<EngineDeps['log'], 'info'>;
};

/** What is younger may be of a delivery that another server is making. */
const ABANDONED_MS = 86_400_000;
/** After this time, a destination that no automation has any more is not tried again. */
const GIVEN_UP_MS = 30 * ABANDONED_MS;

/**
 * Removes what deliveries have left that nobody goes on with: at the destinations of all automations, and for a day at
 * those that automations had before. Never rejects because of a destination.
 */
export async function sweepDestinations(deps: Deps): Promise<void> {
  const automations = await deps.automations.current();
  const open = new Set<string>();
  for (const { id } of automations) for (const name of await openDeliveries(deps, id)) open.add(name);
  const abandoned: Abandoned = (name, ageMs) => ageMs > ABANDONED_MS && !open.has(name);
  for (const automation of automations) await sweepAll(deps, automation, abandoned);
  const used = new Set(automations.flatMap(({ content }) => content.destinations.map(digestOf)));
  for (const { id, leftAt, ...place } of await deps.left.all()) {
    if (used.has(id)) {
      await deps.left.remove(id);
      continue;
    }
    const swept = await sweep(deps, place, abandoned, 'none');
    const sinceMs = deps.clock.now().getTime() - leftAt;
    // What was left last has to grow old first.
    if (sinceMs > (swept ? 2 * ABANDONED_MS : GIVEN_UP_MS)) await deps.left.remove(id);
  }
}

/** Removes what the deliveries of an automation have left that is being deleted. Never rejects. */
export async function sweepDeleted(deps: Deps, automation: Automation): Promise<void> {
  const own = await openDeliveries(deps, automation.id);
  if (own.size > 0) await sweepAll(deps, automation, (name) => own.has(name));
}

async function sweepAll(deps: Deps, { id, content }: Automation, abandoned: Abandoned): Promise<void> {
  for (const destination of content.destinations) await sweep(deps, destination, abandoned, id);
}

/** Returns whether it could be swept. */
async function sweep(
  { kinds, log }: Deps,
  { type, options }: Pick<DestinationSpec, 'type' | 'options'>,
  abandoned: Abandoned,
  automation: string,
): Promise<boolean> {
  try {
    await kinds.destinations.get(type)?.sweep?.(options, abandoned);
    return true;
  } catch (error) {
    log.info({ err: error, automation }, 'a destination could not be swept');
    return false;
  }
}

/** Names of deliveries that were begun and go on from what they remember, also parked ones. */
async function openDeliveries({ items }: Deps, automationId: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const state of ['waiting', 'running', 'delivering', 'parked'] as const)
    for (const item of await items.find({ automationId, state }))
      for (const { destination, file, note, done } of item.deliveries)
        if (note !== null && !done) names.add(idOf({ id: deliveryIdOf(item, destination, file) }));
  return names;
}
