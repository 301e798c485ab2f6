const MOST = 10_000;

/**
 * Caches the results of examining files, which means reading them whole: a result is valid while the file is unchanged.
 */
export class Verdicts {
  readonly #known = new Map<string, boolean>();

  /** True when `look` says so of the file at `path`, now or when it last had this size and time. */
  async of(
    path: string,
    { size, time }: { readonly size: number; readonly time: number },
    look: () => Promise<boolean>,
  ): Promise<boolean> {
    const key = `${path}\0${size}\0${time}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const verdict = await look();
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(key, verdict);
    return verdict;
  }
}
