import type { Automation } from '../automations/model.js';
import { idOf } from '../connectors/note.js';
import { deliveryIdOf } from '../items/item-record.js';
import type { EngineDeps } from './engine-deps.js';

type Deps = Pick<EngineDeps, 'kinds' | 'items' | 'automations'> & { readonly log: Pick<EngineDeps['log'], 'info'> };

/** What is younger may be of a delivery that another server is making. */
const ABANDONED_MS = 86_400_000;

/** Removes what deliveries have left at the destinations of all automations that nobody goes on with. Never rejects. */
export async function sweepDestinations(deps: Deps): Promise<void> {
  const automations = await deps.automations.current();
  const open = new Set<string>();
  for (const { id } of automations) for (const name of await openDeliveries(deps, id)) open.add(name);
  for (const automation of automations)
    await sweep(deps, automation, (name, ageMs) => ageMs > ABANDONED_MS && !open.has(name));
}

/** Removes what the deliveries of an automation have left that is being deleted. Never rejects. */
export async function sweepDeleted(deps: Deps, automation: Automation): Promise<void> {
  const own = await openDeliveries(deps, automation.id);
  if (own.size > 0) await sweep(deps, automation, (name) => own.has(name));
}

async function sweep(
  { kinds, log }: Deps,
  { id, content }: Automation,
  abandoned: (name: string, ageMs: number) => boolean,
): Promise<void> {
  for (const { type, options } of content.destinations)
    await kinds.destinations
      .get(type)
      ?.sweep?.(options, abandoned)
      .catch((error: unknown) => log.info({ err: error, automation: id }, 'a destination could not be swept'));
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
