import { expect } from 'chai';
import { makePdf } from '../../test/kit/make-pdf.js';
import { emptyOutcome, judgeFile, type Outcome } from './audit.js';
import type { Arrived } from './places.js';

describe('automation test', () => {
  const file = { names: ['p0r0n0.pdf'], text: 'p0r0n0x' };
  let whole: Buffer;
  before(async () => {
    whole = Buffer.from(await makePdf({ pages: 1, text: file.text }));
  });

  const arrived = (id: string, bytes = whole): Arrived => ({ name: 'p0r0n0.pdf', id, bytes });
  const judged = (found: readonly Arrived[], open: readonly [string, string][] = [], left: string[] = []): Outcome => {
    const outcome = emptyOutcome('folder-to-mail');
    const states = open.map(([state, code]) => ['p0r0n0.pdf', { state, code }] as const);
    judgeFile(outcome, file, found, new Map(states), new Set(left));
    return outcome;
  };

  it('counts a file that has arrived as a whole, also when it was sent again under its id', () => {
    expect(judged([arrived('1')])).to.deep.include({ delivered: 1, repeated: 0, problems: [] });
    expect(judged([arrived('1'), arrived('1')])).to.deep.include({ delivered: 1, repeated: 1, problems: [] });
  });

  it('finds a file that was delivered under two ids, and one that is cut off or another', async () => {
    expect(judged([arrived('1'), arrived('2')])).to.include({ delivered: 0, twice: 1 });
    expect(judged([arrived('1', whole.subarray(0, 500))])).to.include({ delivered: 0, wrong: 1 });
    const other = Buffer.from(await makePdf({ pages: 1, text: 'p0r0n1x' }));
    expect(judged([arrived('1', other)])).to.include({ delivered: 0, wrong: 1 });
  });

  it('tells what is parked from what waits and from what is lost', () => {
    expect([...judged([], [['parked', 'JOB_LOST']]).parked]).to.deep.equal([['JOB_LOST', 1]]);
    expect(judged([], [['waiting', '']])).to.include({ waiting: 1, lost: 0 });
    expect(judged([], [], ['p0r0n0.pdf'])).to.include({ waiting: 1, lost: 0 });
    expect(judged([]).problems).to.deep.equal(['p0r0n0.pdf is lost']);
  });

  it('reports a file that is delivered although its automation says otherwise', () => {
    expect(judged([arrived('1')], [['parked', 'DESTINATION_UNREACHABLE']]).problems).to.have.length(1);
  });
});
