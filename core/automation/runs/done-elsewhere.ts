import { itemIdOf, type ItemRecord } from '../items/item-record.js';
import { passesFilters } from '../triggers/file-filters.js';
import type { EngineDeps } from './engine-deps.js';

/** Whether every other automation that takes files from this source by itself has delivered this one. */
export async function isDoneElsewhere(
  { automations, items }: Pick<EngineDeps, 'automations' | 'items'>,
  { automationId, sourceId, key, name, size }: ItemRecord,
): Promise<boolean> {
  for (const { id, enabled, content } of await automations.current()) {
    if (id === automationId || !enabled) continue;
    const takes = content.inputs.some(({ source, trigger }) => source === sourceId && trigger.type !== 'manual');
    if (!takes || !passesFilters(content.filters, { name, size })) continue;
    const other = await items.get(itemIdOf(id, sourceId, key));
    if (other?.state !== 'delivered') return false;
  }
  return true;
}
