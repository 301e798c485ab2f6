// Required by mocha where QUIRE_TEST_SEED is set: suites run in another order, and so do the tests of those suites that
// set nothing up once for all their tests. Where a suite shares a server, its tests tell one story.
import { shuffled } from './shuffle.mjs';

const seed = Number(process.env.QUIRE_TEST_SEED);

export const mochaHooks = {
  beforeAll() {
    const root = this.test.parent;
    root.suites.splice(0, Infinity, ...shuffled(root.suites, seed));
    for (const suite of root.suites) shuffle(suite);
  },
};

/** In place: mocha goes through these very lists, and reads each only when it gets there. */
function shuffle(suite, isShared = false) {
  const shares = isShared || suite._beforeAll.length > 0;
  if (!shares) suite.tests.splice(0, Infinity, ...shuffled(suite.tests, seed));
  suite.suites.splice(0, Infinity, ...shuffled(suite.suites, seed));
  for (const child of suite.suites) shuffle(child, shares);
}
