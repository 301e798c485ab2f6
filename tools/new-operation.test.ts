import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { root } from './load-workspace-plugins.js';

describe('npm run new:operation', function () {
  this.timeout(60_000);

  /** Returns what the command prints when it refuses its arguments. */
  function refusal(...args: readonly string[]): string {
    const command = ['--import', 'tsx', 'tools/new-operation.ts', ...args];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
    expect(status, stderr).to.equal(2);
    return stderr.trim();
  }

  it('shows its usage and the templates without arguments', () => {
    expect(refusal()).to.match(/^Usage: npm run new:operation <category>\/<name> \[template\].*\n {2}edit /s);
  });

  it('names a wrong path', () => {
    expect(refusal('general/rotateOddPages')).to.equal(
      '"general/rotateOddPages" is not the path of an operation, which is <category>/<name> in lower case: ' +
        'general/some-name',
    );
  });

  it('names a wrong template and lists the others', () => {
    const text = refusal('general/rotate-odd-pages', 'edti');
    expect(text).to.match(/^There is no template "edti"; there are:\n {2}edit .*\n {2}convert .*\n {2}json /);
  });

  it('names a category without a plugin, and the command that creates one', () => {
    const text = refusal('generl/rotate-odd-pages');
    expect(text).to.match(/^There is no category "generl" in plugins\/ \(there are .*general, .*\)\./);
    expect(text).to.match(/run first: npm run new:plugin generl$/);
  });
});
