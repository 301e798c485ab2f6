import { expect } from 'chai';
import type { ConcreteKind } from '@quire/registry';
import { readComparison } from './comparison.js';
import { factNamed, facts } from './facts.js';
import type { Condition } from './model.js';
import { split } from './narrowing.js';

/** The faults of a comparison, or whether a value fits it. */
function compare(raw: Readonly<Record<string, unknown>>, found: number | boolean | string): boolean | string {
  const faults: string[] = [];
  const fact = factNamed(String(raw['fact']))!;
  const comparison = readComparison(raw, fact, (member, detail) => faults.push(`${member} ${detail}`));
  return comparison?.fits(found) ?? faults.join('; ');
}

const fact = (raw: Readonly<Record<string, unknown>>): Condition => {
  const comparison = readComparison(raw, factNamed(String(raw['fact']))!, (member, detail) => {
    throw new Error(`${member} ${detail}`);
  })!;
  return { type: 'fact', fact: String(raw['fact']), comparisonFor: { needsInvoice: false, of: () => comparison } };
};

describe('a comparison of a fact', () => {
  it('fits values by all of its words', () => {
    expect(compare({ fact: 'pages', above: 2 }, 3)).to.equal(true);
    expect(compare({ fact: 'pages', above: 2 }, 2)).to.equal(false);
    expect(compare({ fact: 'pages', atLeast: 2, below: 4 }, 2)).to.equal(true);
    expect(compare({ fact: 'pages', atLeast: 2, below: 4 }, 4)).to.equal(false);
    expect(compare({ fact: 'pages', in: [1, 3] }, 3)).to.equal(true);
    expect(compare({ fact: 'signed', is: false }, false)).to.equal(true);
    expect(compare({ fact: 'name', is: 'RÉSUMÉ.pdf' }, 'résumé.PDF')).to.equal(true);
  });

  it('is refused with the member that is wrong', () => {
    expect(compare({ fact: 'pages' }, 1)).to.match(/compares with nothing/);
    expect(compare({ fact: 'pages', over: 1 }, 1)).to.match(/^\/over cannot be used/);
    expect(compare({ fact: 'pages', is: NaN }, 1)).to.match(/^\/is must be a number/);
    expect(compare({ fact: 'size', in: Array.from({ length: 101 }, () => 1) }, 1)).to.match(/^\/in must be a list/);
    expect(compare({ fact: 'kind', is: '.doc' }, 'doc')).to.match(/did you mean doc\?/);
    expect(compare({ fact: 'extension', is: '' }, 'doc')).to.match(/must be a text/);
  });

  it('knows no facts that objects inherit', () => {
    expect(factNamed('constructor')).to.equal(undefined);
    expect(Object.keys(facts)).to.include.members(['pages', 'encrypted', 'hasText', 'kind', 'size']);
  });
});

describe('the files that go either way of a condition', () => {
  const kinds = (...names: ConcreteKind[]) => [{ kinds: new Set<ConcreteKind>(names) }];
  const shown = (streams: readonly { readonly kinds: ReadonlySet<string> | undefined }[]): (string[] | undefined)[] =>
    streams.map((stream) => (stream.kinds === undefined ? undefined : [...stream.kinds].sort()));
  const sides = (streams: Parameters<typeof split>[0], condition: Condition): unknown => {
    const { yes, no } = split(streams, condition);
    return [shown(yes), shown(no)];
  };

  it('are divided by their type', () => {
    const isPdf = fact({ fact: 'kind', in: ['pdf'] });
    expect(sides(kinds('pdf', 'png'), isPdf)).to.deep.equal([[['pdf']], [['png']]]);
    expect(sides(kinds('pdf'), isPdf)).to.deep.equal([[['pdf']], []]);
    expect(sides([{ kinds: undefined }], isPdf)).to.deep.equal([[['pdf']], [undefined]]);
    expect(sides(kinds('png'), { type: 'not', of: isPdf })).to.deep.equal([[['png']], []]);
  });

  it('are PDFs where only these have the fact', () => {
    const long = fact({ fact: 'pages', above: 1 });
    expect(sides(kinds('pdf', 'png'), long)).to.deep.equal([[['pdf']], [['pdf', 'png']]]);
    const isPng = fact({ fact: 'kind', is: 'png' });
    expect(sides(kinds('pdf', 'png', 'txt'), { type: 'any', of: [long, isPng] })).to.deep.equal([
      [['pdf', 'png']],
      [['pdf', 'txt']],
    ]);
    expect(sides(kinds('pdf'), { type: 'all', of: [long, isPng] })).to.deep.equal([[], [['pdf']]]);
  });
});
