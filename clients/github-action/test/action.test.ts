import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePdf, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';

const action = fileURLToPath(new URL('..', import.meta.url));
const program = fileURLToPath(new URL('../../../cli/dist/index.js', import.meta.url));

describe('The GitHub action', function () {
  this.timeout(60_000);
  const server = serverForTests();
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-action-'));
    for (const name of ['a.pdf', 'b c.pdf']) writeFileSync(join(folder, name), await makePdf({ pages: 2 }));
    // In place of npx, which would fetch the package: the program of this repository.
    mkdirSync(join(folder, 'bin'));
    const npx = join(folder, 'bin', 'npx');
    writeFileSync(
      npx,
      `#!/bin/sh\necho "$2" > "${folder}/package.txt"\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`,
    );
    chmodSync(npx, 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the step of action.yml as the runner does. */
  async function run(
    inputs: Readonly<Record<string, string>>,
  ): Promise<{ code: number; stdout: string; outputs: Outputs }> {
    const path = join(folder, 'outputs.txt');
    writeFileSync(path, '');
    const child = spawn(process.execPath, [join(action, 'run.mjs')], {
      cwd: folder,
      env: {
        PATH: [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
        HOME: folder,
        GITHUB_OUTPUT: path,
        INPUT_URL: server.url,
        INPUT_VERSION: 'latest',
        ...inputs,
      },
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, outputs: outputsIn(readFileSync(path, 'utf8')) };
  }

  it('passes every line as one argument and names the written files', async () => {
    const { code, outputs, stdout } = await run({
      INPUT_COMMAND: 'merge',
      INPUT_ARGS: 'a.pdf\n  b c.pdf\n\n# the result\n-o\nall $(of) them.pdf\n',
      INPUT_VERSION: '0.1.0',
    });
    expect(code, stdout).to.equal(0);
    expect(outputs['files']).to.equal('all $(of) them.pdf');
    expect(JSON.parse(outputs['json'] ?? '')).to.have.property('files');
    expect((await PDFDocument.load(readFileSync(join(folder, 'all $(of) them.pdf')))).getPageCount()).to.equal(4);
    expect(readFileSync(join(folder, 'package.txt'), 'utf8')).to.equal('quire@0.1.0\n');
  });

  it('ends with an annotation that says what the server refused', async () => {
    const { code, stdout, outputs } = await run({ INPUT_COMMAND: 'rotate', INPUT_ARGS: 'a.pdf\n--angle\n45' });
    expect(code).to.equal(1);
    expect(stdout).to.match(/^::error title=Quire::.*angle/m);
    expect(outputs).to.deep.equal({});
  });

  it('refuses a command or a version that is something else', async () => {
    const options = await run({ INPUT_COMMAND: '--help' });
    expect(options.stdout).to.contain('"command" must be the name of a command');
    const version = await run({ INPUT_COMMAND: 'merge', INPUT_VERSION: 'latest; rm -rf /' });
    expect(version.stdout).to.contain('"version" must be a version');
    expect([options.code, version.code]).to.deep.equal([1, 1]);
  });

  it('passes to the script every input that action.yml declares', () => {
    const text = readFileSync(join(action, 'action.yml'), 'utf8');
    const used = [...text.matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
    const [declared = ''] = /^inputs:\n(?: .*\n)+/m.exec(text) ?? [];
    const names = [...declared.matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name);
    expect([...used].sort()).to.deep.equal([...names].sort());
  });
});

type Outputs = Readonly<Record<string, string | undefined>>;

/** Reads the file of outputs as the runner does. */
function outputsIn(text: string): Outputs {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
}
