export interface PageTarget {
  /** 0-based. */
  readonly page: number;
}

/** How a view follows what is beside it, and reports where it is. */
export interface Followed {
  /** Each new object goes to its page. */
  readonly target?: PageTarget | undefined;
  /** Called with the page in the middle of the view; not where an original is beside it. */
  readonly onPage?: ((page: number) => void) | undefined;
}
