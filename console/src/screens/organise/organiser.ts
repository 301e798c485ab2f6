import { batch, computed, signal } from '@preact/signals';
import { passwordOf, ViewedDocument, ViewError, type ViewFailure } from '../../viewer/index.ts';
import { History } from './history.ts';
import { duplicated, inserted, type Items, moved, movedBy, newId, pagesOf, turned, without } from './page-list.ts';

/** A file that pages are taken from. */
export interface Source {
  readonly file: File;
  readonly name: string;
  readonly document: ViewedDocument;
  /** Which of the colours marks its pages. */
  readonly colour: number;
}

export type Entries = Items<Source>;

/** A file that waits for its password, or could not be opened. */
export interface Waiting {
  readonly file: File;
  readonly failure: ViewFailure;
}

/** The pages of the result while somebody arranges them. Kept while the page is open, also on other screens. */
class Organiser {
  readonly entries = new History<Entries>([]);
  readonly selected = signal<ReadonlySet<number>>(new Set());
  /** The entry that has the keyboard's attention. */
  readonly active = signal<number | undefined>(undefined);
  readonly sources = signal<readonly Source[]>([]);
  readonly waiting = signal<readonly Waiting[]>([]);
  readonly opening = signal(0);
  /** The file that is being opened. */
  readonly openingFile = signal<File | undefined>(undefined);
  /** What was done, for people who do not see it. */
  readonly said = signal('');
  readonly used = computed(() => {
    const used = new Set(this.entries.value.map(({ source }) => source));
    return this.sources.value.filter((source) => used.has(source));
  });
  /** Where pages are added: after the selection, else at the end. */
  readonly insertAt = computed(() => {
    const last = this.entries.value.findLastIndex(({ id }) => this.selected.value.has(id));
    return last < 0 ? this.entries.value.length : last + 1;
  });

  /**
   * Adds all pages of files before the entry at `at`: unselected, unless they are inserted after selected pages and
   * take over the selection. Files that cannot be opened go to `waiting`.
   */
  async add(files: readonly File[], at?: number): Promise<void> {
    this.opening.value++;
    let place = at ?? this.insertAt.value;
    const selects = at === undefined && this.selected.value.size > 0;
    const all: Entries[number][] = [];
    for (const file of files) {
      this.openingFile.value = file;
      try {
        const source = await this.#open(file);
        const added = pagesOf(source, source.document.pageCount);
        batch(() => {
          this.entries.value = inserted(this.entries.value, place, added);
          all.push(...added);
          if (selects) this.#select(all);
          else this.active.value = all[0]?.id;
        });
        place += added.length;
      } catch (error) {
        const failure = error instanceof ViewError ? error.code : 'internal';
        this.waiting.value = [...this.waiting.value.filter((each) => each.file !== file), { file, failure }];
      }
    }
    this.opening.value--;
    this.openingFile.value = undefined;
  }

  /** Tries a file again, for example with a password. */
  retry(file: File): Promise<void> {
    this.dismiss(file);
    return this.add([file]);
  }

  dismiss(file: File): void {
    this.waiting.value = this.waiting.value.filter((each) => each.file !== file);
  }

  addBlank(): void {
    const at = this.insertAt.value;
    const before = this.entries.value[at - 1] ?? this.entries.value[at];
    const size =
      before === undefined
        ? { width: 595.28, height: 841.89 }
        : (before.size ?? before.source?.document.size(before.page) ?? { width: 595.28, height: 841.89 });
    const turns = before?.turns ?? 0;
    const blank = { id: newId(), source: undefined, page: 0, turns, size };
    batch(() => {
      this.entries.value = inserted(this.entries.value, at, [blank]);
      this.#select([blank]);
    });
  }

  move(ids: ReadonlySet<number>, to: number): void {
    const next = moved(this.entries.value, ids, to);
    if (next.some(({ id }, i) => id !== this.entries.value[i]?.id)) this.entries.value = next;
  }

  moveBy(by: number): void {
    const next = movedBy(this.entries.value, this.selected.value, by);
    if (next.some(({ id }, i) => id !== this.entries.value[i]?.id)) this.entries.value = next;
  }

  turn(by: number, ids = this.selected.value): void {
    if (ids.size > 0) this.entries.value = turned(this.entries.value, ids, by);
  }

  duplicate(): void {
    if (this.selected.value.size === 0) return;
    const { items, added } = duplicated(this.entries.value, this.selected.value);
    batch(() => {
      this.entries.value = items;
      this.#select(added);
    });
  }

  remove(ids = this.selected.value): void {
    if (ids.size === 0) return;
    const before = this.entries.value;
    const at = before.findIndex(({ id }) => ids.has(id));
    const next = without(before, ids);
    batch(() => {
      this.entries.value = next;
      this.selected.value = new Set([...this.selected.value].filter((id) => !ids.has(id)));
      this.active.value = next[Math.min(at, next.length - 1)]?.id;
    });
  }

  undo(): void {
    this.entries.undo();
    this.#forgetMissing();
  }

  redo(): void {
    this.entries.redo();
    this.#forgetMissing();
  }

  /** Removes everything and closes the files. */
  clear(): void {
    for (const { document } of this.sources.value) document.close();
    batch(() => {
      this.entries.reset([]);
      this.sources.value = [];
      this.waiting.value = [];
      this.selected.value = new Set();
      this.active.value = undefined;
    });
  }

  async #open(file: File): Promise<Source> {
    const known = this.sources.value.find((source) => source.file === file);
    if (known !== undefined) return known;
    const document = await ViewedDocument.open(file, passwordOf(file));
    const source = { file, name: file.name, document, colour: this.sources.value.length };
    this.sources.value = [...this.sources.value, source];
    return source;
  }

  #select(added: Entries): void {
    this.selected.value = new Set(added.map(({ id }) => id));
    this.active.value = added[0]?.id;
  }

  #forgetMissing(): void {
    const ids = new Set(this.entries.value.map(({ id }) => id));
    this.selected.value = new Set([...this.selected.value].filter((id) => ids.has(id)));
    if (!ids.has(this.active.value ?? -1)) this.active.value = this.entries.value[0]?.id;
  }
}

export const organiser = new Organiser();
