import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { unrulyPlugin } from '../../test/http/support/server.js';
import { Desk } from './support.js';
import { hasTerminals, Terminal, type TerminalOptions } from './terminal.js';

const CLEAR = '\r\u001b[2K';

/** What a terminal showed of the bar: each drawing without its control sequences. */
function drawings(shown: string): string[] {
  return shown
    .split(CLEAR)
    .slice(1, -1)
    .map((each) => each.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, ''));
}

describe('Progress in a terminal (skipped where util-linux is missing)', () => {
  const server = serverForTests({ plugins: ['@quire/plugin-general', unrulyPlugin] });
  const desk = new Desk(() => server.url);
  const slowly = (ms: number): string[] => ['unruly-slow', 'in.pdf', '--ms', String(ms), '-o', 'out.pdf', '--force'];
  const open: Terminal[] = [];

  before(async function () {
    if (!hasTerminals) return this.skip();
    await desk.addPdfs('in.pdf');
  });
  afterEach(() => open.splice(0).forEach((terminal) => terminal.stop()));
  after(() => desk.remove());

  function inTerminal(args: readonly string[], options: Partial<TerminalOptions> = {}): Terminal {
    const env = { ...desk.environment, ...options.env };
    const terminal = new Terminal(desk.commandLine(args), { cwd: desk.work, ...options, env });
    open.push(terminal);
    return terminal;
  }

  it('is drawn, grows, and is gone at the end', async () => {
    const terminal = inTerminal(slowly(1500));
    expect(await terminal.ended()).to.equal(0);
    const bars = drawings(terminal.shown);
    expect(bars[0]).to.match(/^[█░]{24} +0 % unruly-slow in\.pdf (queued|running)$/);
    const percents = bars.map((bar) => Number(/(\d+) %/.exec(bar)?.[1]));
    expect(new Set(percents).size).to.be.greaterThan(2);
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
    expect(terminal.shown.split(CLEAR).at(-1)).to.equal('Wrote out.pdf\r\n');
    expect((await PDFDocument.load(readFileSync(join(desk.work, 'out.pdf')))).getPageCount()).to.equal(2);
  });

  it('fits into a narrow terminal, and lets no name wrap', async () => {
    const name = `${'報告'.repeat(20)}\u0007.pdf`;
    await desk.addPdfs(name);
    const terminal = inTerminal(['unruly-slow', name, '--ms', '300', '-o', 'narrow.pdf'], { columns: 40 });
    expect(await terminal.ended()).to.equal(0);
    const bars = drawings(terminal.shown);
    expect(bars[0]).to.match(/^[█░]{10} +0 % unruly-slow 報告/);
    for (const bar of bars) expect(bar.length).to.be.at.most(39);
    const drawn = terminal.shown.split(CLEAR).slice(1, -1);
    for (const each of drawn) expect(each).to.match(/^\u001b\[\?7l[^\u0000-\u001f]*\u001b\[\?7h$/);
  });

  it('has no colours, with or without NO_COLOR', async () => {
    for (const env of [{ NO_COLOR: '1' }, {}]) {
      const terminal = inTerminal(slowly(100), { env });
      expect(await terminal.ended()).to.equal(0);
      expect(terminal.shown).not.to.match(/\u001b\[[\d;]*m/);
    }
  });

  it('is interrupted by Ctrl+C: the job is stopped, the bar is gone, and nothing is half-written', async () => {
    const before = readdirSync(desk.work);
    const terminal = inTerminal(['unruly-slow', 'in.pdf', '--ms', '60000', '-o', 'never.pdf']);
    await terminal.until(/running/);
    terminal.type('\u0003');
    expect(await terminal.ended()).to.equal(130);
    expect(terminal.shown.split(CLEAR).at(-1)).to.contain('Interrupted; nothing half-written was left.');
    expect(readdirSync(desk.work)).to.deep.equal(before);
    const [newest] = JSON.parse(await desk.text(['jobs', '--json'])) as { status: string }[];
    expect(newest?.status).to.equal('cancelled');
  });

  it('is not drawn without a terminal, with --quiet, or in one that knows no control characters', async () => {
    const { code, stderr } = await desk.run(slowly(100));
    expect([code, stderr]).to.deep.equal([0, 'Wrote out.pdf\n']);
    const plain = inTerminal(slowly(100), { env: { TERM: 'dumb' } });
    expect([await plain.ended(), plain.shown]).to.deep.equal([0, 'Wrote out.pdf\r\n']);
    const quiet = inTerminal([...slowly(100), '--quiet']);
    expect([await quiet.ended(), quiet.shown]).to.deep.equal([0, '']);
  });
});
