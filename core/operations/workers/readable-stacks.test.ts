import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

describe('stack traces', () => {
  /** Runs code in a process like that of a server, without the source maps of tests. Returns what it prints. */
  function printed(code: string): string {
    const own = new URL('../../dist/operations/workers/readable-stacks.js', import.meta.url).href;
    const script = `import { nameSourcesInStacks } from '${own}'; ${code}`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  }

  it('name the source and its line for code in a bundle', () => {
    const bundle = new URL('../../dist/bundle/index.js', import.meta.url).href;
    const stack = printed(
      `nameSourcesInStacks();
       const { createServer } = await import('${bundle}');
       await createServer({}).catch((error) => console.log(error.stack));`,
    );
    const [, file = '', line = ''] = /(file:\S+\/core\/app\/open-base\.ts):(\d+):\d+/.exec(stack) ?? [];
    expect(stack).to.match(/^TypeError: Cannot read /);
    expect(stack).not.to.include('/dist/bundle/');
    expect(readFileSync(fileURLToPath(file), 'utf8').split('\n')[Number(line) - 1]).to.include('createLog(');
  });

  it('stay as they are for other code', () => {
    const [before, after] = printed(
      `const fail = (text) => new TypeError(text).stack.split('\\n').slice(0, 3);
       const before = fail('as it was'); nameSourcesInStacks(); const after = fail('as it was');
       console.log(JSON.stringify([before, after].map((lines) => lines.map((line) => line.replace(/:\\d+:\\d+/, '')))));`,
    )
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => JSON.parse(line) as string[][]);
    expect(after).to.deep.equal(before);
    expect(before?.[1]).to.include('at fail');
  });
});
