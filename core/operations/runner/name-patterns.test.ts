import { expect } from 'chai';
import { outputFileName } from './name-patterns.js';

const values = { pipelineName: 'a/b', now: new Date(2026, 0, 2, 3, 4, 5) };

describe('The name of an output', () => {
  it('is unchanged without a pattern, else the filled pattern with the extension of the output', () => {
    expect(outputFileName(undefined, 'a.b.pdf', values)).to.equal('a.b.pdf');
    expect(outputFileName('{filename}-{pipelineName}-{date}-{time}', 'a.b.pdf', values)).to.equal(
      'a.b-a_b-20260102-030405.pdf',
    );
    expect(outputFileName('fixed', 'noextension', values)).to.equal('fixed');
    expect(outputFileName('{filename}', '$& {date}.pdf', values)).to.equal('$& {date}.pdf');
  });

  it('is never a path, hidden or too long', () => {
    expect(outputFileName('../../{filename}', 'a.pdf', values)).to.equal('__.._a.pdf');
    expect(outputFileName('.{filename}', 'a.pdf', values)).to.equal('_a.pdf');
    expect(Buffer.byteLength(outputFileName('{filename}'.repeat(10), `${'ü'.repeat(90)}.pdf`, values))).to.be.at.most(
      255,
    );
  });
});
