// Required by mocha where QUIRE_TEST_SEED is set: suites, and the tests of each suite, run in another order.
import { shuffled } from './shuffle.mjs';

const seed = Number(process.env.QUIRE_TEST_SEED);

export const mochaHooks = {
  beforeAll() {
    shuffle(this.test.parent);
  },
};

/** In place: mocha goes through these very lists, and reads each only when it gets there. */
function shuffle(suite) {
  suite.tests.splice(0, Infinity, ...shuffled(suite.tests, seed));
  suite.suites.splice(0, Infinity, ...shuffled(suite.suites, seed));
  for (const child of suite.suites) shuffle(child);
}
