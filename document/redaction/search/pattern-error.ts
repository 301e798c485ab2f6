/** A pattern that cannot be used; the message says why and is meant for its author. */
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}
