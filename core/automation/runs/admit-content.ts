import { feeds } from '../automations/places.js';
import type { ItemRecord } from '../items/item-record.js';
import { reasonOf, type ItemChange } from '../items/item-store.js';
import type { ItemWorkDeps } from './item-work-deps.js';

/** How long a file waits for another one with the same bytes. */
const SAME_CONTENT_MS = 2000;
/** A file that comes back more often within an hour goes round in a loop that nobody could see at saving. */
const MOST_ROUNDS = 3;

/** Whether a file is processed; otherwise what becomes of it, and whether its source is done with it. */
export type Admission = 'process' | { readonly end: ItemChange; readonly finish: boolean };

/** Compares the content of a file with what automations have written and what this one has processed. */
export async function admitContent(
  deps: Pick<ItemWorkDeps, 'items' | 'automation' | 'clock' | 'sources' | 'placed'>,
  item: ItemRecord,
  sha256: string,
  lineage: readonly string[],
): Promise<Admission> {
  const { items, automation, clock } = deps;
  const now = clock.now().getTime();
  const rounds = lineage.filter((id) => id === automation.id).length;
  if (!item.byHand && rounds > 0) {
    if (lineage.at(-1) === automation.id && (await writesToOwnSource(deps, item)))
      return {
        // Marked as finished: a result is never removed from where it was delivered.
        end: {
          state: 'delivered',
          finished: true,
          reason: reasonOf('OWN_OUTPUT', 'The file is a result of this automation and is not processed again.'),
        },
        finish: false,
      };
    if (rounds > MOST_ROUNDS)
      return {
        end: {
          state: 'parked',
          reason: reasonOf(
            'AUTOMATION_LOOP',
            `The content has come back to this automation ${rounds} times within an hour; the loop was stopped.`,
          ),
        },
        finish: false,
      };
  }
  if (automation.content.once !== 'content') return 'process';
  const held = await items.reserve(item, sha256);
  if (held === 'own') return 'process';
  if (held === 'delivered')
    return {
      end: {
        state: 'delivered',
        reason: reasonOf('SAME_CONTENT', 'A file with the same content was processed before.'),
      },
      finish: true,
    };
  return {
    end: {
      state: 'waiting',
      nextAt: now + SAME_CONTENT_MS,
      attempts: item.attempts - 1,
      reason: reasonOf('SAME_CONTENT', 'Another file with the same content is being processed.'),
    },
    finish: false,
  };
}

async function writesToOwnSource(
  { automation, sources, placed }: Pick<ItemWorkDeps, 'automation' | 'sources' | 'placed'>,
  { sourceId }: ItemRecord,
): Promise<boolean> {
  const options = (await sources.get(sourceId))?.options;
  const { reads, writes } = await placed(automation, (id) => (id === sourceId ? options : undefined));
  return writes.some((write) => reads.some((read) => feeds(write, read)));
}
