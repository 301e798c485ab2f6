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

  it('list the first decisions of a pipeline, and say how many there were', () => {
    const decisions = Array.from({ length: 80 }, (_, i) => ({ pointer: '/pipeline/0', file: `${i}.pdf`, found: [] }));
    const reported = (facts: object): Record<string, unknown> =>
      JSON.parse(factHeaders({ ...none, dropped: [], ...facts }, 80)['x-pipeline-report'] ?? '') as never;
    expect(reported({ decisions: decisions.slice(0, 3) })).not.to.have.property('decisionsCount');
    const cut = reported({ decisions });
    expect(cut['decisionsCount']).to.equal(80);
    expect(cut['decisions']).to.deep.equal(decisions.slice(0, (cut['decisions'] as unknown[]).length));
    expect(cut['decisions']).to.have.length.within(20, 60);
    expect(reported({ decisions, decisionsCount: 500 })['decisionsCount']).to.equal(500);
  });
});
