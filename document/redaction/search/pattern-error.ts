/** An invalid pattern; the message explains the fault to the pattern's author. */
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}
