import { computed, signal, type ReadonlySignal } from '@preact/signals';

const MOST_STEPS = 200;

/** A value with undo and redo. */
export class History<T> {
  readonly #past = signal<readonly T[]>([]);
  readonly #present;
  readonly #future = signal<readonly T[]>([]);
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;

  constructor(initial: T) {
    this.#present = signal(initial);
    this.canUndo = computed(() => this.#past.value.length > 0);
    this.canRedo = computed(() => this.#future.value.length > 0);
  }

  get value(): T {
    return this.#present.value;
  }

  set value(next: T) {
    this.#past.value = [...this.#past.value.slice(-MOST_STEPS + 1), this.#present.value];
    this.#future.value = [];
    this.#present.value = next;
  }

  undo(): void {
    const before = this.#past.value.at(-1);
    if (before === undefined) return;
    this.#past.value = this.#past.value.slice(0, -1);
    this.#future.value = [this.#present.value, ...this.#future.value];
    this.#present.value = before;
  }

  redo(): void {
    const [next, ...rest] = this.#future.value;
    if (next === undefined) return;
    this.#future.value = rest;
    this.#past.value = [...this.#past.value, this.#present.value];
    this.#present.value = next;
  }

  /** Begins again, without a past. */
  reset(value: T): void {
    this.#past.value = [];
    this.#future.value = [];
    this.#present.value = value;
  }
}
