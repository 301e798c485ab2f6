import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';

/** A state of the document. */
export interface Version {
  readonly file: File;
  /** The change that made it; translated. */
  readonly title: string;
  readonly warnings: readonly string[];
}

/** Older ones are forgotten: each may be as large as the document. */
const MOST_VERSIONS = 50;

/** The versions of a document, oldest first, and which of them is the current one. */
export class Versions {
  readonly all = signal<readonly Version[]>([]);
  readonly at = signal(0);
  readonly #saved = signal<File | undefined>(undefined);
  readonly current: ReadonlySignal<Version | undefined> = computed(() => this.all.value[this.at.value]);
  readonly canUndo = computed(() => this.at.value > 0);
  readonly canRedo = computed(() => this.at.value < this.all.value.length - 1);
  /** The current version is neither the file that was opened nor one that was saved. */
  readonly unsaved = computed(() => this.current.value !== undefined && this.current.value.file !== this.#saved.value);

  start(first: Version): void {
    batch(() => {
      this.all.value = [first];
      this.at.value = 0;
      this.#saved.value = first.file;
    });
  }

  clear(): void {
    batch(() => {
      this.all.value = [];
      this.at.value = 0;
      this.#saved.value = undefined;
    });
  }

  /** Adds a version after the current one; what was undone is forgotten. */
  add(version: Version): void {
    batch(() => {
      this.all.value = [...this.all.value.slice(0, this.at.value + 1), version].slice(-MOST_VERSIONS);
      this.at.value = this.all.value.length - 1;
    });
  }

  goTo(at: number): void {
    this.at.value = Math.max(0, Math.min(at, this.all.value.length - 1));
  }

  markSaved(): void {
    this.#saved.value = this.current.value?.file;
  }
}
