import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { unrulyPlugin } from '../../test/http/support/server.js';
import { Desk } from './support.js';

const TOOLS = ['general', 'misc', 'filter', 'analysis', 'security'];

/** The error that was printed as JSON, without the id of the call. */
function failureIn(stdout: Buffer): object {
  const { error } = JSON.parse(stdout.toString()) as { error: { requestId: string } };
  const { requestId: _id, ...facts } = error;
  return facts;
}

describe('The command line with a server', () => {
  const server = serverForTests({ plugins: [...TOOLS.map((name) => `@quire/plugin-${name}`), unrulyPlugin] });
  const desk = new Desk(() => server.url);
  const path = (name: string): string => join(desk.work, name);
  const pages = async (name: string): Promise<number> =>
    (await PDFDocument.load(readFileSync(path(name)))).getPageCount();

  before(() => desk.addPdfs('in.pdf', 'b.pdf'));
  after(() => desk.remove());

  it('runs a tool by its short name and writes the result where it should', async () => {
    await desk.text(['rotate', 'in.pdf', '--angle', '-90', '-o', 'out.pdf']);
    const pdf = await PDFDocument.load(readFileSync(path('out.pdf')));
    expect(pdf.getPage(0).getRotation().angle).to.equal(270);
    await desk.text(['general/merge-pdfs', 'in.pdf', '*.pdf', '-o', 'all.pdf']);
    expect(await pages('all.pdf')).to.equal(8);
  });

  it('handles each file of a folder, and lists the results as JSON', async () => {
    mkdirSync(path('many'));
    mkdirSync(path('results'));
    for (const name of ['1.pdf', '2.pdf', 'note.txt'])
      writeFileSync(path(`many/${name}`), readFileSync(path('in.pdf')));
    const printed = await desk.text(['rotate', 'many', '-o', 'results', '--json']);
    const { files } = JSON.parse(printed) as { files: { path: string }[] };
    expect(files.map((file) => file.path)).to.deep.equal(['results/1_rotated.pdf', 'results/2_rotated.pdf']);
    expect(readdirSync(path('results'))).to.deep.equal(['1_rotated.pdf', '2_rotated.pdf']);
  });

  it('reads standard input and writes standard output', async () => {
    const { code, stdout } = await desk.run(['rotate', '-'], { input: readFileSync(path('in.pdf')) });
    expect(code).to.equal(0);
    expect((await PDFDocument.load(stdout)).getPageCount()).to.equal(2);
  });

  it('prints the answer of a tool without a file', async () => {
    expect(JSON.parse(await desk.text(['count-pages', 'in.pdf']))).to.deep.equal({ pageCount: 2 });
  });

  it('checks and runs a pipeline', async () => {
    const step = { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } };
    writeFileSync(path('flow.json'), JSON.stringify({ pipeline: [step] }));
    expect(await desk.text(['pipeline', 'check', 'flow.json'])).to.contain('can run');
    await desk.text(['pipeline', 'run', 'flow.json', 'in.pdf', '-o', 'piped.pdf']);
    expect(await pages('piped.pdf')).to.equal(2);
    writeFileSync(path('wrong.json'), JSON.stringify({ pipeline: [{ ...step, parameters: { angle: 1 } }] }));
    const { code, stderr } = await desk.run(['pipeline', 'check', 'wrong.json']);
    expect(code).to.equal(3);
    expect(stderr).to.contain('pipeline/0/parameters/angle');
    writeFileSync(path('broken.json'), '{');
    expect((await desk.run(['pipeline', 'check', 'broken.json'])).code).to.equal(4);
  });

  it('starts a job, waits for it and fetches its result', async () => {
    const id = (await desk.text(['rotate', 'in.pdf', '--job'])).trim();
    expect(await desk.text(['jobs', 'wait', id])).to.contain('succeeded');
    await desk.text(['jobs', 'result', id, '-o', 'job.pdf']);
    expect(await pages('job.pdf')).to.equal(2);
    expect(await desk.text(['jobs'])).to.contain(id);
    await desk.text(['jobs', 'cancel', id]);
    expect((await desk.run(['jobs', 'show', id])).code).to.equal(7);
  });

  it('ends as the tool itself would when a job has failed', async () => {
    writeFileSync(path('broken.pdf'), '%PDF-1.7 and nothing else');
    const id = (await desk.text(['rotate', 'broken.pdf', '--job'])).trim();
    const direct = await desk.run(['rotate', 'broken.pdf', '--json']);
    for (const action of ['wait', 'result']) {
      const { code, stdout } = await desk.run(['jobs', action, id, '--json']);
      expect(code).to.equal(3);
      expect(failureIn(stdout)).to.deep.equal(failureIn(direct.stdout));
    }
    expect(await desk.text(['jobs', 'show', id]))
      .to.contain('failed')
      .and.to.contain('(PDF_DAMAGED)');

    const crashed = (await desk.text(['unruly-crash', 'in.pdf', '--job'])).trim();
    const { code, stderr } = await desk.run(['jobs', 'wait', crashed]);
    expect([code, stderr]).to.deep.equal([1, stderr]);
    expect(stderr).to.contain('WORKER_LOST');
  });

  it('does not overwrite without --force', async () => {
    writeFileSync(path('precious.pdf'), 'mine');
    const { code, stderr } = await desk.run(['rotate', 'in.pdf', '-o', 'precious.pdf']);
    expect([code, readFileSync(path('precious.pdf'), 'utf8')]).to.deep.equal([4, 'mine']);
    expect(stderr).to.contain('precious.pdf exists').and.to.contain('--force');
    await desk.text(['rotate', 'in.pdf', '-o', 'precious.pdf', '--force']);
    expect(await pages('precious.pdf')).to.equal(2);
  });

  it('explains each kind of failure with an exit code of its own', async () => {
    writeFileSync(path('text.txt'), 'hello');
    const failures: [args: string[], code: number, says: RegExp][] = [
      [['roatte', 'in.pdf'], 2, /rotate-pdf/],
      [['split', 'in.pdf'], 2, /split-pages/],
      [['rotate', 'in.pdf', '--angel', '90'], 2, /--angle/],
      [['rotate'], 2, /needs a file/],
      [['add-watermark', 'in.pdf'], 2, /--watermark-type/],
      [['rotate', 'in.pdf', '--angle', '45'], 3, /multiple of 90; found 45/],
      [['rotate', 'text.txt'], 3, /text file/],
      [['rotate', 'missing.pdf'], 4, /missing\.pdf: no such file/],
      [['rotate', 'in.pdf', '-o', 'nowhere/out.pdf'], 4, /nowhere: no such folder/],
      [['rotate', 'in.pdf', '--url', 'http://127.0.0.1:65535'], 5, /ECONNREFUSED/],
      [['filter-page-count', 'in.pdf', '--page-count', '9', '--comparator', 'Greater'], 9, /filter/],
    ];
    const ended = await Promise.all(failures.map(([args]) => desk.run(args)));
    for (const [i, [args, code, says]] of failures.entries()) {
      expect(ended[i]?.code, args.join(' ')).to.equal(code);
      expect(ended[i]?.stderr, args.join(' ')).to.match(says);
    }
  });

  it('prints an error as JSON with its code and its fields', async () => {
    const { code, stdout } = await desk.run(['rotate', 'in.pdf', '--angle', '45', '--json']);
    const { error } = JSON.parse(stdout.toString()) as { error: object };
    expect(code).to.equal(3);
    expect(error).to.deep.include({ code: 'INPUT_INVALID', status: 400, exitCode: 3 });
  });

  it('reports a full disk', async function () {
    if (process.platform !== 'linux') this.skip();
    const full = openSync('/dev/full', 'w');
    const { code, stderr } = await desk.run(['rotate', 'in.pdf', '-o', '-'], { stdout: full });
    closeSync(full);
    expect(stderr).to.contain('disk is full');
    expect(code).to.equal(4);
  });

  it('stops at once when it is interrupted, and leaves no file', async () => {
    const catalog = await (await fetch(`${server.url}/api/v1/console/catalog`)).text();
    let child: ChildProcess | undefined;
    const silent = createServer((request, response) => {
      request.resume();
      if (request.method === 'GET') response.end(catalog);
      else child?.kill('SIGINT');
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const before = readdirSync(desk.work);
    const started = (running: ChildProcess): void => void (child = running);
    const { code } = await desk.run(['rotate', 'in.pdf', '-o', 'never.pdf', '--url', url], { started });
    silent.closeAllConnections();
    silent.close();
    expect(code).to.equal(130);
    expect(readdirSync(desk.work)).to.deep.equal(before);
  });

  it('finds tools, shows their options, and completes them from the kept catalog', async () => {
    expect(await desk.text(['tools', 'shrink'])).to.match(/^compress-pdf /);
    const help = await desk.text(['rotate', '--help']);
    expect(help).to.contain('--angle <integer>').and.to.contain('90');
    expect(await desk.text(['__complete', 'rot'])).to.equal('rotate-pdf\n');
    expect(await desk.text(['__complete', 'rotate', '--an'])).to.equal('--angle\n');
    expect(await desk.text(['__complete', 'add-stamp', '--stamp-type', ''])).to.equal('image\ntext\n');
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect(await desk.text(['completion', shell])).to.contain('quire __complete');
  });

  it('keeps address and key after a login, for the user only, and forgets them', async () => {
    const url = { QUIRE_URL: '' };
    await desk.text(['login', '--url', server.url], { env: url, input: 'secret\n' });
    const file = join(desk.folder, '.config', 'quire', 'config.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({ url: server.url, apiKey: 'secret' });
    const facts = JSON.parse(await desk.text(['doctor', '--json'], { env: url })) as Record<string, unknown>;
    expect(facts).to.include({ server: server.url, key: file });
    await desk.text(['logout']);
    expect((await desk.run(['login', '--url', 'http://127.0.0.1:65535'], { input: 'x\n' })).code).to.equal(5);
  });
});
