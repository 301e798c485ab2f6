// A short report for people and, when QUIRE_TEST_RESULTS names a file, the same as JSON for run-tests.mjs.
const { readFileSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/** Ticks of /proc in a second; 100 wherever Node runs. */
const TICKS = 100;

/** CPU seconds of this process and of everything that it started, as far as the system counts them. */
function cpuSeconds() {
  try {
    return process.env.QUIRE_TEST_CPU ? groupSeconds(process.env.QUIRE_TEST_CPU) : familySeconds();
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/** The seconds of a control group (`tools/cpu-group.mjs`): nanoseconds, or a line of microseconds. */
function groupSeconds(path) {
  const text = readFileSync(path, 'latin1');
  const microseconds = /^usage_usec (\d+)/m.exec(text)?.[1];
  return microseconds === undefined ? Number(text) / 1e9 : Number(microseconds) / 1e6;
}

/** The seconds of this process and of those children that have ended and were waited for; Node counts no children. */
function familySeconds() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // utime, stime, cutime and cstime, after the name, which may contain anything (proc_pid_stat(5)).
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Prints one line per suite, every failure with its stack, and every skipped test by name. */
class TestReporter {
  constructor(runner) {
    const results = { passed: 0, failed: [], skipped: [], files: {}, cpu: {} };
    let last = Date.now();
    let lastCpu = cpuSeconds();
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

    // Milliseconds and CPU seconds of tests and hooks, by file.
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
      const used = cpuSeconds();
      results.cpu[file] = (results.cpu[file] ?? 0) + used - lastCpu;
      lastCpu = used;
    };
    runner.once('start', () => {
      last = Date.now();
      lastCpu = cpuSeconds();
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
        writeFileSync(target, JSON.stringify({ ...results, cpuSeconds: cpuSeconds() }));
        return;
      }
      for (const title of results.skipped) console.log(`  skipped: ${title}`);
      console.log(`${results.passed} passed, ${results.failed.length} failed`);
    });
  }
}

module.exports = TestReporter;
