/**
 * Work in slices: it yields when it has used its time, so that more urgent work and cancellations come between. Its
 * `finally` blocks run when it is cancelled.
 */
export type Work = Generator<undefined, unknown, undefined>;

export interface Task {
  readonly id: number;
  /** Smaller is more urgent. */
  readonly priority: number;
  readonly document: number;
  readonly work: Work;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

const SLICE_MS = 20;

let sliceEnd = 0;

/** True when the running work should yield. */
export function sliceIsOver(): boolean {
  return performance.now() >= sliceEnd;
}

/** Runs the most urgent task, one slice at a time, and lets messages in between slices. */
export class Schedule {
  private readonly tasks = new Map<number, Task>();
  private readonly turn = new MessageChannel();
  private waiting = false;

  constructor() {
    this.turn.port1.addEventListener('message', () => {
      this.waiting = false;
      this.runSlice();
    });
    this.turn.port1.start();
  }

  add(task: Task): void {
    this.tasks.set(task.id, task);
    this.wake();
  }

  cancel(id: number): void {
    const task = this.tasks.get(id);
    this.tasks.delete(id);
    task?.work.return(undefined);
  }

  cancelAll(document: number): void {
    for (const task of this.tasks.values()) if (task.document === document) this.cancel(task.id);
  }

  private wake(): void {
    if (this.waiting || this.tasks.size === 0) return;
    this.waiting = true;
    this.turn.port2.postMessage(undefined);
  }

  private runSlice(): void {
    let next: Task | undefined;
    for (const task of this.tasks.values()) if (next === undefined || task.priority < next.priority) next = task;
    if (next === undefined) return;
    sliceEnd = performance.now() + SLICE_MS;
    try {
      const step = next.work.next();
      if (step.done === true) {
        this.tasks.delete(next.id);
        next.done(step.value);
      }
    } catch (error) {
      this.tasks.delete(next.id);
      next.failed(error);
    }
    this.wake();
  }
}
