import { expect } from 'chai';
import { factHeaders } from './fact-headers.js';

describe('the headers that report facts', () => {
  const none = { effects: [], warnings: [], ignored: [], report: {} };

  it('are left out where there is nothing to report', () => {
    expect(factHeaders(none, 1)).to.deep.equal({});
  });

  it('name effects, warnings, ignored fields, replaced values and the report of an operation', () => {
    const facts = {
      effects: ['lossy', 'dropsTags'],
      warnings: ['One.', 'Two.'],
      ignored: ['a', 'b'],
      replaced: ['sortType=orderProvided'],
      report: { pages: 2 },
    };
    expect(factHeaders(facts, 0)).to.deep.equal({
      'x-effects': 'lossy, dropsTags',
      'x-warnings': 'One. Two.',
      'x-ignored-fields': 'a, b',
      'x-replaced-values': 'sortType=orderProvided',
      'x-tool-report': '{"pages":2}',
    });
  });

  it('list the files that a pipeline left out, also when it returned none', () => {
    const dropped = [{ file: 'a.pdf', step: 0, operation: 'filter/x', reason: 'filter' }];
    expect(factHeaders({ ...none, dropped }, 1)).to.deep.equal({
      'x-pipeline-report': JSON.stringify({ files: 1, dropped }),
    });
    expect(factHeaders({ ...none, dropped: [] }, 0)).to.have.property('x-pipeline-report');
    expect(factHeaders({ ...none, dropped: [] }, 1)).to.deep.equal({});
  });

  describe('with the decisions of a pipeline', () => {
    const decisions = (count: number, name = 'bill'): object[] =>
      Array.from({ length: count }, (_, i) => ({ pointer: '/pipeline/0', file: `${name}-${i}.pdf`, taken: 'then' }));
    const reportOf = (facts: object): Record<string, unknown> =>
      JSON.parse(factHeaders({ ...none, dropped: [], ...facts }, 1)['x-pipeline-report'] ?? '') as Record<
        string,
        unknown
      >;

    it('list all of them, without a count, if they fit', () => {
      expect(reportOf({ decisions: decisions(3) })).to.deep.equal({ files: 1, decisions: decisions(3), dropped: [] });
    });

    it('list the first ones and say how many there are if they do not fit', () => {
      const report = reportOf({ decisions: decisions(90) });
      expect(report['decisions']).to.have.lengthOf.within(1, 89);
      expect(report['decisionsCount']).to.equal(90);
    });

    it('count those that the run did not keep', () => {
      expect(reportOf({ decisions: decisions(100), decisionsCount: 250 })['decisionsCount']).to.equal(250);
    });

    it('stay within the length of a header when names need escapes', () => {
      const facts = { ...none, dropped: [], decisions: decisions(30, '請求書'.repeat(10)) };
      expect(factHeaders(facts, 1)['x-pipeline-report']).to.have.lengthOf.at.most(4096);
      expect(reportOf(facts)['decisionsCount']).to.equal(30);
    });
  });
});
