import { topics, type Announcement, type Topic } from './backplane.js';

type Listener = (announcement: Announcement) => void;

/** The listeners of one process. */
export class Listeners {
  readonly #of = new Map<Topic, Set<Listener>>(topics.map((topic) => [topic, new Set()]));

  on(topic: Topic, listener: Listener): () => void {
    this.#of.get(topic)?.add(listener);
    return () => void this.#of.get(topic)?.delete(listener);
  }

  tell(topic: Topic, announcement: Announcement): void {
    for (const listener of this.#of.get(topic) ?? []) listener(announcement);
  }

  /** Some announcements may have been missed. */
  tellAll(nodes: number): void {
    for (const topic of topics) this.tell(topic, { id: undefined, nodes });
  }
}

/**
 * Calls `work` at once, and then at most once in `ms`, however often the result is called: the last call always leads
 * to one.
 */
export function atMostEvery(ms: number, work: () => void): () => void {
  let last = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    last = performance.now();
    work();
  };
  return () => {
    const wait = last + ms - performance.now();
    if (wait <= 0) run();
    else timer ??= setTimeout(run, wait).unref();
  };
}
