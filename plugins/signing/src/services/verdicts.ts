const MOST = 10_000;

/** What looking at files has shown, which costs reading them whole: the answer stays the same while the file does. */
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
