import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import type { Automation, ScheduleTrigger } from '../automations/model.js';
import { nextFiring } from './schedule.js';

/** When a schedule fires next; stored, so that a restart loses nothing and several nodes fire once. */
interface DueRecord {
  /** `<automation> <source>`. */
  readonly id: string;
  readonly automationId: string;
  /** The schedule as text; another one counts from the moment it is first seen. */
  readonly schedule: string;
  /** In milliseconds since 1970. */
  readonly dueAt: number;
  readonly firedAt: number | null;
  /** It has fired, and the source has not been listed yet. */
  readonly pending: boolean;
}

export interface SchedulerDeps {
  readonly store: Pick<Store, 'records'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often schedules are compared with the clock, which may be set meanwhile. */
  readonly sweepMs: number;
  /** Starts the work on a source; rejects when that has to be tried again. */
  fire(automationId: string, sourceId: string): Promise<void>;
}

interface Entry {
  readonly id: string;
  readonly automationId: string;
  readonly sourceId: string;
  readonly trigger: ScheduleTrigger;
  dueAt: number;
  /** The `dueAt` that was compared with the clock last. */
  comparedAt?: number;
}

/** A firing that is later than this was missed: no server ran. */
const MISSED_MS = 60_000;
/** While the store is away, what is due stays due. */
const RETRY_MS = 1000;

/** Fires schedules. Without any, it has no timer. */
export class Scheduler {
  readonly #records: Records<DueRecord>;
  readonly #firing = new Map<string, Promise<void>>();
  #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #lastTickMs = 0;
  readonly #stop = new AbortController();

  constructor(private readonly deps: SchedulerDeps) {
    this.#records = deps.store.records<DueRecord>('automation_schedules', { keys: ['automationId'] });
  }

  /** Replaces the schedules by those of these automations. Rejects with STORE_DOWN. */
  set(automations: readonly Automation[]): Promise<void> {
    return this.#inTurn(async () => {
      const entries = new Map<string, Entry>();
      for (const { id: automationId, enabled, content } of automations)
        for (const { source, trigger } of enabled ? content.inputs : []) {
          if (trigger.type !== 'schedule' || source === null) continue;
          const id = `${automationId} ${source}`;
          const record = await this.#record(id, automationId, trigger);
          if (record === undefined) continue;
          const entry = { id, automationId, sourceId: source, trigger, dueAt: record.dueAt };
          entries.set(id, entry);
          // A process that ended before it had listed the source, or another node; listing twice does no harm.
          if (record.pending) this.#start(entry);
        }
      this.#entries = entries;
      this.#arm();
    });
  }

  /** Fires what is due now. Never rejects. */
  tick(): Promise<void> {
    return this.#inTurn(async () => {
      const now = this.deps.clock.now().getTime();
      const setBack = now < this.#lastTickMs;
      this.#lastTickMs = now;
      for (const entry of this.#entries.values())
        if (entry.dueAt <= now) await this.#fire(entry, now);
        else if (setBack || entry.comparedAt !== entry.dueAt) await this.#compare(entry, now);
      this.#arm();
    }).catch((error: unknown) => {
      this.deps.log.warn({ err: error }, 'schedules could not be read; they are tried again');
      this.#arm(RETRY_MS);
    });
  }

  /** When an automation is started next, in milliseconds since 1970; null when no schedule starts it. */
  nextOf(automationId: string): number | null {
    const times = [...this.#entries.values()].filter((one) => one.automationId === automationId);
    return times.length === 0 ? null : Math.min(...times.map(({ dueAt }) => dueAt));
  }

  async forget(automationId: string): Promise<void> {
    await this.#records.deleteMany({ automationId });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#turn.catch(() => undefined);
    await Promise.all(this.#firing.values());
  }

  async #fire(entry: Entry, now: number): Promise<void> {
    const { id, trigger, dueAt } = entry;
    // Several firings that were missed count as one.
    const next = await nextFiring(trigger, trigger.schedule?.type === 'every' ? everyAfter(trigger, dueAt, now) : now);
    const fires = trigger.missed === 'once' || now - dueAt <= MISSED_MS;
    const change = { set: { dueAt: next ?? Number.MAX_SAFE_INTEGER, firedAt: now, pending: fires } };
    const won = await this.#records.update(id, change, { dueAt });
    const stored = won ?? (await this.#records.get(id));
    if (stored === undefined) this.#entries.delete(id);
    else entry.dueAt = stored.dueAt;
    if (won !== undefined && fires) this.#start(entry);
  }

  /** Brings a time back that a clock has set which ran ahead: the schedule would be silent until then. */
  async #compare(entry: Entry, now: number): Promise<void> {
    const { id, trigger, dueAt } = entry;
    entry.comparedAt = dueAt;
    // The clocks of two nodes differ a little.
    const latest = await nextFiring(trigger, now + MISSED_MS);
    if (latest === null || dueAt <= latest) return;
    const next = await nextFiring(trigger, now);
    if (next === null) return;
    const won = await this.#records.update(id, { set: { dueAt: next } }, { dueAt });
    const stored = won ?? (await this.#records.get(id));
    if (stored !== undefined) entry.dueAt = stored.dueAt;
  }

  /** Not awaited: other schedules fire meanwhile. */
  #start({ id, automationId, sourceId }: Entry): void {
    if (this.#firing.has(id)) return;
    const { deps } = this;
    const firing = deps
      .fire(automationId, sourceId)
      .then(() => this.#records.update(id, { set: { pending: false } }))
      .catch((error: unknown) => {
        deps.log.warn({ err: error, automation: automationId }, 'a scheduled run could not begin; it is tried again');
        return pause(deps.sweepMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      })
      .then(() => {
        this.#firing.delete(id);
        if (!this.#stop.signal.aborted) void this.#again(id);
      });
    this.#firing.set(id, firing);
  }

  async #again(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    const record = entry === undefined ? undefined : await this.#records.get(id).catch(() => undefined);
    if (entry !== undefined && record?.pending === true) this.#start(entry);
  }

  async #record(id: string, automationId: string, trigger: ScheduleTrigger): Promise<DueRecord | undefined> {
    const { type: _, missed: __, ...rest } = trigger;
    const schedule = JSON.stringify(rest);
    const found = await this.#records.get(id);
    if (found?.schedule === schedule) return found;
    const dueAt = await nextFiring(trigger, this.deps.clock.now().getTime());
    if (dueAt === null) return undefined;
    const record = { id, automationId, schedule, dueAt, firedAt: null, pending: false };
    if (found !== undefined) await this.#records.put(record);
    else
      await this.#records.insert(record).catch((error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
      });
    return this.#records.get(id);
  }

  #arm(leastMs = 0): void {
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted || this.#entries.size === 0) return;
    const due = Math.min(...[...this.#entries.values()].map(({ dueAt }) => dueAt));
    const wait = Math.min(Math.max(0, due - this.deps.clock.now().getTime()), this.deps.sweepMs);
    this.#timer = setTimeout(() => void this.tick(), Math.max(wait, leastMs)).unref();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.catch(() => undefined).then(() => (this.#stop.signal.aborted ? undefined : work()));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** The last firing of `every` that is not after now, so that its rhythm stays. */
function everyAfter({ schedule }: ScheduleTrigger, dueAt: number, now: number): number {
  const unit = { MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 }[schedule?.unit ?? 'MINUTES'];
  const interval = (schedule?.count ?? 1) * unit;
  return dueAt + Math.floor((now - dueAt) / interval) * interval;
}
