import { setTimeout as pause } from 'node:timers/promises';
import { isQuireError, type Principal } from '@quire/registry';
import type { NamedEvent } from '../../http/response/index.js';
import type { TeamRecords } from '../team-records.js';
import { digestOf, type Listed, type LiveList, type Row } from './live-list.js';

export interface FollowDeps {
  readonly list: LiveList;
  readonly teams: Pick<TeamRecords, 'sees' | 'mayEdit'>;
  /** The account of a caller with its current rights. Throws ACCOUNT_DISABLED. */
  resume(caller: Principal): Promise<Principal>;
  /** A row as the caller sees it. */
  shown(row: Row, editable: boolean): object;
}

/** Events of a stream are at least this far apart. */
const LEAST_PAUSE_MS = 1000;
/** How long a stream waits for a change until it looks at the caller's rights again. */
const LONGEST_PAUSE_MS = 2000;
/** A stream ends after this time, so that a key or a session that has ended since is not followed on. */
const LONGEST_MS = 300_000;

/** What a caller was sent: for each automation a digest of what it looked like. */
interface Sent {
  readonly rows: ReadonlyMap<string, string>;
  readonly sources: string;
  /** Names this state, on every node. */
  readonly id: string;
}

/**
 * The list of a caller: whole at first (`list`), then what has changed (`change`). `lastId`: the id of the event that
 * the caller has received last; the list is not sent again while it is the same. Ends when the caller's account does.
 */
export async function* followedList(
  { list, teams, resume, shown }: FollowDeps,
  caller: Principal,
  { signal, lastId, longestMs = LONGEST_MS }: { signal: AbortSignal; lastId?: string | undefined; longestMs?: number },
): AsyncGenerator<NamedEvent> {
  const until = performance.now() + longestMs;
  const end = list.begin();
  let sent: Sent | undefined;
  let version: object | undefined;
  let rights = '';
  try {
    while (!signal.aborted) {
      const principal = await resumed(resume, caller);
      if (principal === undefined) return;
      const listed = await list.read();
      const { id, role, teamId } = principal;
      const own = JSON.stringify([id, role, teamId]);
      if (listed.version !== version || own !== rights) {
        const rows = listed.rows.filter(({ automation }) => teams.sees(principal, automation));
        const editable = ({ automation }: Row): boolean => teams.mayEdit(principal, automation);
        const now = stateOf(listed, rows, { principal, teams, editable });
        const event = sent === undefined && now.id !== lastId ? 'list' : 'change';
        if (event === 'list') {
          const automations = rows.map((row) => shown(row, editable(row)));
          yield { event, id: now.id, data: { automations, sources: now.sources } };
        } else if (now.id !== sent?.id) {
          yield {
            event,
            id: now.id,
            data: changes(sent ?? now, now, { rows, shown: (row) => shown(row, editable(row)) }),
          };
        }
        [sent, version, rights] = [now, listed.version, own];
      }
      const left = until - performance.now();
      if (left <= 0) return;
      await list.pause(LONGEST_PAUSE_MS, signal);
      // Changes in quick succession are one event.
      await pause(LEAST_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  } finally {
    end();
  }
}

/** Undefined when the account is disabled or gone. */
async function resumed(resume: FollowDeps['resume'], caller: Principal): Promise<Principal | undefined> {
  try {
    return await resume(caller);
  } catch (error) {
    if (isQuireError(error) && error.code === 'ACCOUNT_DISABLED') return undefined;
    throw error;
  }
}

function stateOf(
  { sources }: Listed,
  rows: readonly Row[],
  {
    principal,
    teams,
    editable,
  }: { readonly principal: Principal; readonly teams: FollowDeps['teams']; editable(row: Row): boolean },
): Sent {
  const digests = rows.map((row) => [row.automation.id, `${row.digest}${editable(row) ? '' : ' read'}`] as const);
  const own = sources.filter((source) => teams.sees(principal, source));
  const ofSources = digestOf(JSON.stringify(own.map(({ id, savedAt }) => [id, savedAt])));
  return { rows: new Map(digests), sources: ofSources, id: digestOf(JSON.stringify([digests, ofSources])) };
}

function changes(
  before: Sent,
  now: Sent,
  { rows, shown }: { readonly rows: readonly Row[]; readonly shown: (row: Row) => object },
): object {
  const changed = rows.filter(({ automation: { id } }) => before.rows.get(id) !== now.rows.get(id));
  const order = [...now.rows.keys()];
  const stays = [...before.rows.keys()].every((id, at) => order[at] === id) && before.rows.size === order.length;
  return {
    changed: changed.map(shown),
    removed: [...before.rows.keys()].filter((id) => !now.rows.has(id)),
    ...(stays ? {} : { order }),
    sources: now.sources,
  };
}
