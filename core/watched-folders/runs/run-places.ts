/** The runs of all folders of this node that have a job, of which there are at most `autoPipeline.parallel`. */
export class RunPlaces {
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  /**
   * Takes a place; call the result to give it back. Undefined when all are taken: `free` is then called once, when
   * there is one again. It may take places, or none.
   */
  take(free: () => void): (() => void) | undefined {
    if (this.#taken >= this.most) {
      this.#waiting.add(free);
      return undefined;
    }
    this.#taken += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#taken -= 1;
      this.#offer();
    };
  }

  #offer(): void {
    for (const next of this.#waiting) {
      if (this.#taken >= this.most) return;
      this.#waiting.delete(next);
      next();
    }
  }
}
