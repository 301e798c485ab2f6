// A short report for people and, when QUIRE_TEST_RESULTS names a file, the same as JSON for run-tests.mjs.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Prints one line per suite, every failure with its stack, and every skipped test by name. */
class TestReporter {
  constructor(runner) {
    const results = { passed: 0, failed: [], skipped: [], files: {} };
    let last = Date.now();
    let suite = { title: '', passed: 0, failed: 0, skipped: 0 };

    const flush = () => {
      const { title, passed, failed, skipped } = suite;
      if (passed + failed + skipped === 0) return;
      const parts = [`${passed} passed`];
      if (failed > 0) parts.push(`${failed} failed`);
      if (skipped > 0) parts.push(`${skipped} skipped`);
      console.log(`  ${failed > 0 ? '✗' : '✓'} ${title}: ${parts.join(', ')}`);
    };
    const enter = (test) => {
      const title = test.titlePath()[0] ?? '';
      if (title === suite.title) return;
      flush();
      suite = { title, passed: 0, failed: 0, skipped: 0 };
    };

    // Milliseconds of tests and hooks, by file.
    const fileOf = (runnable) => {
      let at = runnable;
      while (at !== undefined && at.file === undefined) at = at.parent;
      return relative(process.cwd(), at?.file ?? 'unknown');
    };
    const spend = (runnable) => {
      const file = fileOf(runnable);
      const now = Date.now();
      results.files[file] = (results.files[file] ?? 0) + now - last;
      last = now;
    };
    runner.once('start', () => {
      last = Date.now();
    });
    for (const event of ['hook end', 'test end', 'suite end']) runner.on(event, spend);

    runner.on('pass', (test) => {
      enter(test);
      suite.passed++;
      results.passed++;
    });
    runner.on('pending', (test) => {
      enter(test);
      suite.skipped++;
      results.skipped.push(test.titlePath().join(' › '));
    });
    runner.on('fail', (test, error) => {
      enter(test);
      suite.failed++;
      const title = test.titlePath().join(' › ');
      results.failed.push({ title, file: fileOf(test), message: String(error?.stack ?? error) });
      console.log(`\n  FAILED ${title}\n${String(error?.stack ?? error).replace(/^/gm, '    ')}\n`);
    });
    runner.once('end', () => {
      flush();
      const target = process.env.QUIRE_TEST_RESULTS;
      if (target !== undefined) {
        writeFileSync(target, JSON.stringify(results));
        return;
      }
      for (const title of results.skipped) console.log(`  skipped: ${title}`);
      console.log(`${results.passed} passed, ${results.failed.length} failed`);
    });
  }
}

module.exports = TestReporter;
