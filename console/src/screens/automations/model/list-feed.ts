import { asProblem, followEvents, type Problem } from '../../../api/index.ts';
import {
  listAutomations,
  listFiles,
  listRuns,
  listSources,
  type Automation,
  type AutomationFile,
  type Run,
  type SourceRow,
} from './automation.ts';

export interface Listed {
  readonly automation: Automation;
  readonly lastRun: Pick<Run, 'state' | 'startedAt'> | null;
  /** Why a file waits for something else than its turn. */
  readonly waiting: AutomationFile['reason'];
}

export interface Shown {
  readonly listed: readonly Listed[];
  readonly sources: readonly SourceRow[];
}

/** An automation as the stream has it. */
type Row = Automation & Omit<Listed, 'automation'>;

interface ListEvent {
  readonly automations?: readonly Row[];
  readonly changed?: readonly Row[];
  readonly removed?: readonly string[];
  readonly order?: readonly string[];
  readonly sources: string;
}

interface FeedOptions {
  readonly shown: (shown: Shown) => void;
  readonly failed: (problem: Problem) => void;
}

/** Of more automations, the last run and what they wait for is not asked without the stream. */
const MOST_ASKED = 50;
/** How long an event may take until the list is read by calls: proxies keep streams back, or refuse them. */
const PATIENCE_MS = 2000;
/** How often the list is read without the stream. */
const REFRESH_MS = 5000;

/** The list of automations as it changes: by the stream of the server, and by calls where there is none. */
export class ListFeed {
  #rows: readonly Listed[] | undefined;
  #sources: readonly SourceRow[] | undefined;
  #sourcesKey: string | undefined;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLive = false;
  #next = Promise.withResolvers<void>();

  constructor(private readonly options: FeedOptions) {}

  /** Follows the list from its begin. */
  start(): void {
    this.stop();
    const { signal } = (this.#stop = new AbortController());
    this.#isLive = false;
    this.#sourcesKey = undefined;
    followEvents('automations/events', {
      signal,
      connected: (connected) => (this.#isLive &&= connected),
      event: ({ data }) => void this.#take(JSON.parse(data) as ListEvent, signal),
    }).catch(() => this.#refresh(signal, 0));
    this.#refresh(signal, PATIENCE_MS);
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  /** Starts again; resolves when the list is shown, or could not be had. */
  reload(): Promise<void> {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
    this.start();
    return this.#next.promise;
  }

  async #take(
    { automations, changed = [], removed = [], order, sources }: ListEvent,
    signal: AbortSignal,
  ): Promise<void> {
    this.#isLive = true;
    if (automations !== undefined) this.#rows = automations.map(listedOf);
    else {
      const news = new Map(changed.map((row) => [row.id, listedOf(row)]));
      const before = (this.#rows ?? []).filter(({ automation: { id } }) => !removed.includes(id));
      const known = new Set(before.map(({ automation: { id } }) => id));
      const rows = [
        ...before.map((each) => news.get(each.automation.id) ?? each),
        ...[...news.values()].filter(({ automation: { id } }) => !known.has(id)),
      ];
      const places = new Map(order?.map((id, place) => [id, place]));
      this.#rows = rows.toSorted((a, b) => (places.get(a.automation.id) ?? 0) - (places.get(b.automation.id) ?? 0));
    }
    if (sources !== this.#sourcesKey)
      try {
        this.#sourcesKey = sources;
        this.#sources = await listSources(signal);
      } catch (error) {
        return this.#fail(error, signal);
      }
    this.#show(signal);
  }

  /** Reads the list by calls, now and then, while the stream sends nothing. */
  #refresh(signal: AbortSignal, afterMs: number): void {
    clearTimeout(this.#timer);
    if (signal.aborted) return;
    this.#timer = setTimeout(() => {
      if (this.#isLive) this.#refresh(signal, REFRESH_MS);
      else void this.#read(signal).then(() => this.#refresh(signal, REFRESH_MS));
    }, afterMs);
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      const [automations, sources] = await Promise.all([listAutomations(signal), listSources(signal)]);
      const asked = await Promise.all(automations.slice(0, MOST_ASKED).map((each) => factsOf(each, signal)));
      if (this.#isLive) return;
      this.#rows = automations.map((automation, i) => ({ automation, ...(asked[i] ?? unasked) }));
      this.#sources = sources;
      this.#show(signal);
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  #show(signal: AbortSignal): void {
    if (signal.aborted || this.#rows === undefined || this.#sources === undefined) return;
    this.options.shown({ listed: this.#rows, sources: this.#sources });
    this.#next.resolve();
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.options.failed(asProblem(error));
    this.#next.resolve();
  }
}

const unasked = { lastRun: null, waiting: null };

function listedOf({ lastRun, waiting, ...automation }: Row): Listed {
  return { automation, lastRun, waiting };
}

/** Its last run, and what it waits for. */
async function factsOf({ id, files }: Automation, signal: AbortSignal): Promise<Omit<Listed, 'automation'>> {
  const [runs, waiting] = await Promise.all([
    listRuns(id, 1, signal),
    files.waiting === 0 ? undefined : listFiles(id, { state: 'waiting' }, signal),
  ]);
  const reason = waiting?.files.find((file) => file.reason !== null)?.reason;
  return { lastRun: runs[0] ?? null, waiting: reason ?? null };
}
