/** First user numbers of confined processes: beyond those that systems give to people, below that of nobody. */
export const firstUserNumber = { workers: 64_000, recognition: 64_400, programs: 64_600 } as const;

/** User numbers of processes that run at the same time: no two have the same. */
export class UserNumbers {
  readonly #taken = new Set<number>();

  constructor(private readonly first: number) {}

  take(): number {
    let number = this.first;
    while (this.#taken.has(number)) number++;
    this.#taken.add(number);
    return number;
  }

  giveBack(number: number): void {
    this.#taken.delete(number);
  }
}
