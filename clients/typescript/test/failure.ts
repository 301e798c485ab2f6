/** Returns the error that a call throws. Fails unless it is of this class. */
export async function failure<T extends Error>(
  call: () => Promise<unknown>,
  type: abstract new (...args: never[]) => T,
): Promise<T> {
  let thrown: unknown;
  try {
    await call();
  } catch (error) {
    thrown = error;
  }
  if (thrown instanceof type) return thrown;
  throw new Error(`expected ${type.name}, got ${thrown === undefined ? 'no error' : String(thrown)}`);
}
