// Required by mocha when QUIRE_TEST_SEED is set: shuffles the suites, and the tests of suites without a shared set-up.
// Tests that share a server depend on their order.
import { shuffled } from './shuffle.mjs';

const seed = Number(process.env.QUIRE_TEST_SEED);

export const mochaHooks = {
  beforeAll() {
    const root = this.test.parent;
    root.suites.splice(0, Infinity, ...shuffled(root.suites, seed));
    for (const suite of root.suites) shuffle(suite);
  },
};

/** Shuffles in place, because mocha iterates over these very lists and reads each only when it gets there. */
function shuffle(suite, isShared = false) {
  const shares = isShared || suite._beforeAll.length > 0;
  if (!shares) suite.tests.splice(0, Infinity, ...shuffled(suite.tests, seed));
  suite.suites.splice(0, Infinity, ...shuffled(suite.suites, seed));
  for (const child of suite.suites) shuffle(child, shares);
}
