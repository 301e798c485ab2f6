import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('read-only.sh', import.meta.url));
// Namespaces of mounts are root's, and many containers give none. npm run walk counts what lacks its program as
// refused.
const can =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

if (can)
  describe('the server as its image runs it', function () {
    this.timeout(120_000);

    it('works for a user without name and rights on a read-only system, with LibreOffice too', () => {
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
