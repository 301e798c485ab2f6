import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('read-only.sh', import.meta.url));
// Mount namespaces need root, and many containers forbid them. Calls whose program is missing count as refused in npm
// run walk.
const can =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

if (can)
  describe('server as its image runs it', function () {
    this.timeout(120_000);

    it('runs as an unprivileged user without a name on a read-only file system, LibreOffice included', () => {
      const run = spawnSync('bash', [script], {
        encoding: 'utf8',
        env: { ...process.env, PORT: String(18_100 + (process.pid % 800)), MATCH: 'convert/file/pdf' },
      });
      expect(run.status, run.stdout + run.stderr).to.equal(0);
      expect(run.stdout)
        .to.match(/^(?:well|refused) .*convert\/file\/pdf/m)
        .and.contain('a job: succeeded');
    });
  });
