import { batch, computed, signal } from '@preact/signals';
import { asProblem, type Problem } from '../../../api/index.ts';
import type { PageArea } from '../../../viewer/engine/index.ts';
import type { PartProps } from '../part.ts';
import {
  type Area,
  emptyQuery,
  fieldsOf,
  fieldsOfJob,
  isEmpty,
  isSame,
  type Job,
  type Look,
  type Match,
  plainLook,
  type Preview,
  PREVIEW,
  type Query,
  REDACT,
} from './calls.ts';
import { receiptOf, type Receipt } from './receipt-data.ts';
import { t } from './texts.ts';

/** What users have marked in addition to the matches: one step of the history. */
interface Marks {
  readonly areas: readonly Area[];
  /** 0-based. */
  readonly pages: readonly number[];
  /** Ids of matches that stay. */
  readonly kept: ReadonlySet<string>;
}

const noMarks: Marks = { areas: [], pages: [], kept: new Set() };
const MOST_STEPS = 200;
let lastId = 0;

/** Search results and marks of one version of a document. */
export class Redaction {
  readonly query = signal<Query>(emptyQuery);
  /** The query that was searched for, and its answer. */
  readonly found = signal<{ readonly query: Query; readonly preview: Preview } | undefined>(undefined);
  readonly searching = signal(false);
  readonly problem = signal<Problem | undefined>(undefined);
  readonly look = signal<Look>(plainLook);
  /** Id of the match that is shown. */
  readonly current = signal<string | undefined>(undefined);
  readonly chosenArea = signal<number | undefined>(undefined);
  readonly receipt = signal<Receipt | undefined>(undefined);
  readonly #marks = signal<Marks>(noMarks);
  readonly #past = signal<readonly Marks[]>([]);
  readonly #future = signal<readonly Marks[]>([]);

  readonly areas = computed(() => this.#marks.value.areas);
  readonly pages = computed(() => this.#marks.value.pages);
  readonly kept = computed(() => this.#marks.value.kept);
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly canRedo = computed(() => this.#future.value.length > 0);
  readonly matches = computed<readonly Match[]>(() => this.found.value?.preview.matches ?? []);
  readonly chosen = computed(() => this.matches.value.filter(({ id }) => !this.kept.value.has(id)));
  /** There are marks made by hand. */
  readonly edited = computed(() => {
    const { areas, pages, kept } = this.#marks.value;
    const marked = areas.length > 0 || pages.length > 0 || this.matches.value.some(({ id }) => kept.has(id));
    return marked && this.canUndo.value;
  });
  /** Terms were entered after the last search, and nothing is known about them. */
  readonly unsearched = computed(() => {
    const query = this.query.value;
    return !isEmpty(query) && !isSame(query, this.found.value?.query);
  });
  /** What would be removed now; undefined if nothing would be. */
  readonly job = computed<Job | undefined>(() => {
    const found = this.found.value;
    const [areas, pages, chosen] = [this.areas.value, this.pages.value, this.chosen.value];
    const elsewhere = found !== undefined && Object.keys(found.preview.elsewhere).length > 0;
    const searched = chosen.length > 0 || (elsewhere && found.preview.matches.length === 0);
    if (!searched && areas.length === 0 && pages.length === 0) return undefined;
    const keep = this.matches.value.filter(({ id }) => this.kept.value.has(id)).map(({ id }) => id);
    return { query: searched ? found?.query : undefined, keep, areas, pages, look: this.look.value };
  });

  constructor(private readonly file: File) {}

  async search(ask: PartProps['ask']): Promise<void> {
    const query = this.query.value;
    if (isEmpty(query)) {
      this.found.value = undefined;
      return;
    }
    batch(() => {
      this.searching.value = true;
      this.problem.value = undefined;
    });
    try {
      const preview = await ask<Preview>(PREVIEW, fieldsOf(query));
      batch(() => {
        this.found.value = { query, preview };
        this.current.value = undefined;
      });
    } catch (error) {
      this.problem.value = asProblem(error);
    } finally {
      this.searching.value = false;
    }
  }

  /**
   * Removes what is marked, searches the result again, and passes the receipt to the state of the new version. Throws
   * Problem; the marks stay.
   */
  async apply({ apply, ask }: Pick<PartProps, 'apply' | 'ask'>): Promise<void> {
    const job = this.job.value;
    if (job === undefined) return;
    const applied = await apply({ title: t('Redacted'), operation: REDACT, fields: fieldsOfJob(job) });
    const next = redactionOf(applied.file);
    batch(() => {
      next.query.value = this.query.value;
      next.look.value = this.look.value;
    });
    const query = job.query;
    let again: Preview | undefined;
    try {
      if (query !== undefined) again = await ask<Preview>(PREVIEW, fieldsOf(query));
    } catch (error) {
      next.problem.value = asProblem(error);
    }
    const removed = query === undefined ? [] : this.chosen.value;
    const receipt = await receiptOf({ job, before: this.file, applied, removed, again });
    batch(() => {
      if (query !== undefined && again !== undefined) next.found.value = { query, preview: again };
      // Those that stayed are not marked for the next time.
      next.#marks.value = { ...noMarks, kept: new Set((again?.matches ?? []).map(({ id }) => id)) };
      next.receipt.value = receipt;
    });
  }

  keep(ids: readonly string[], stays: boolean): void {
    const kept = new Set(this.kept.value);
    for (const id of ids)
      if (stays) kept.add(id);
      else kept.delete(id);
    this.#change({ kept });
  }

  /** Adds areas of a page, and chooses the last. */
  add(page: number, areas: readonly PageArea[]): void {
    const added = areas.map((area) => ({ ...area, id: ++lastId, page }));
    this.#change({ areas: [...this.areas.value, ...added] });
    this.chosenArea.value = added.at(-1)?.id;
  }

  move(id: number, area: PageArea): void {
    this.#change({ areas: this.areas.value.map((each) => (each.id === id ? { ...each, ...area } : each)) });
  }

  delete(id: number): void {
    this.#change({ areas: this.areas.value.filter((each) => each.id !== id) });
  }

  setPages(pages: readonly number[]): void {
    this.#change({ pages: [...new Set(pages)].sort((a, b) => a - b) });
  }

  undo(): void {
    const marks = this.#past.value.at(-1);
    if (marks === undefined) return;
    batch(() => {
      this.#future.value = [...this.#future.value, this.#marks.value];
      this.#past.value = this.#past.value.slice(0, -1);
      this.#marks.value = marks;
    });
  }

  redo(): void {
    const marks = this.#future.value.at(-1);
    if (marks === undefined) return;
    batch(() => {
      this.#past.value = [...this.#past.value, this.#marks.value];
      this.#future.value = this.#future.value.slice(0, -1);
      this.#marks.value = marks;
    });
  }

  #change(change: Partial<Marks>): void {
    batch(() => {
      this.#past.value = [...this.#past.value, this.#marks.value].slice(-MOST_STEPS);
      this.#future.value = [];
      this.#marks.value = { ...this.#marks.value, ...change };
    });
  }
}

const known = new WeakMap<File, Redaction>();

/** The state of a version; it is there again when people undo to it, or come back to this part. */
export function redactionOf(file: File): Redaction {
  const redaction = known.get(file) ?? new Redaction(file);
  known.set(file, redaction);
  return redaction;
}
