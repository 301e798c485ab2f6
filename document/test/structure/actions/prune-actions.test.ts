import { expect } from 'chai';
import { PDFContext, type PDFDict, PDFName, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';
import { asDict, asName, dictOf, elements, entry } from '../../../file/objects/index.js';
import { everyObject } from '../../../file/objects/index.js';
import { pruneActions } from '../../../structure/actions/index.js';

const script = (next?: PDFObject): Record<string, unknown> => ({
  S: 'JavaScript',
  JS: PDFString.of('1'),
  ...(next === undefined ? {} : { Next: next }),
});
const named = (name: string, next?: PDFObject): Record<string, unknown> => ({
  S: 'Named',
  N: name,
  ...(next === undefined ? {} : { Next: next }),
});

/** Creates a document whose catalog has these entries. */
function documentWith(context: PDFContext, values: Record<string, PDFObject>): PDFDict {
  const catalog = dictOf(context, { Type: PDFName.of('Catalog'), ...values });
  context.trailerInfo.Root = context.register(catalog);
  return catalog;
}

const put = (context: PDFContext, value: unknown): PDFRef =>
  context.register(context.obj(value as Record<string, string>));
const scripts = (context: PDFContext): number => pruneActions(context, ({ kind }) => kind === 'JavaScript');

/** Lists the names of a chain of actions; parallel actions are in brackets. */
function chain(context: PDFContext, value: PDFObject | undefined): string {
  const several = elements(context, value);
  if (several.length > 0) return `[${several.map((one) => chain(context, one)).join(' ')}]`;
  const dict = asDict(context, value);
  if (dict === undefined) return '';
  const next = entry(dict, 'Next');
  const name = asName(context, entry(dict, 'N')) ?? asName(context, entry(dict, 'S')) ?? 'undefined';
  return next === undefined ? name : `${name} ${chain(context, next)}`;
}

describe('pruneActions', () => {
  it('moves the following action to the place of a removed one', () => {
    const context = PDFContext.create();
    const catalog = documentWith(context, {
      OpenAction: put(context, script(put(context, named('A', put(context, script(put(context, named('B')))))))),
    });
    expect(scripts(context)).to.equal(2);
    expect(chain(context, entry(catalog, 'OpenAction'))).to.equal('A B');
  });

  it('joins several following actions into one', () => {
    const context = PDFContext.create();
    const catalog = documentWith(context, {
      OpenAction: put(
        context,
        script(
          context.obj([
            put(context, named('A', put(context, named('B')))),
            put(context, script()),
            put(context, named('C')),
          ]),
        ),
      ),
    });
    expect(scripts(context)).to.equal(2);
    expect(chain(context, entry(catalog, 'OpenAction'))).to.equal('A [B C]');
  });

  it('removes lists of triggers and scripts that become empty', () => {
    const context = PDFContext.create();
    const tree = context.obj({
      JavaScript: { Names: [PDFString.of('a'), script(), PDFString.of('b'), named('A')] },
    } as never);
    const catalog = documentWith(context, { AA: context.obj({ WC: script(), DS: script() } as never), Names: tree });
    expect(scripts(context)).to.equal(3);
    expect(entry(catalog, 'AA')).to.equal(undefined);
    expect(String(asDict(context, entry(catalog, 'Names')))).to.not.equal('');
    expect(
      [...everyObject(context)].filter(
        (object) => String(object).includes('/JavaScript') && String(object).includes('/JS'),
      ),
    ).to.have.length(0);
  });

  it('removes actions in unexpected places', () => {
    const context = PDFContext.create();
    const catalog = documentWith(context, {
      Odd: context.obj([[put(context, script())]]),
      Kind: context.obj({ Type: 'StructElem', S: 'JavaScript' }),
    });
    expect(scripts(context)).to.equal(1);
    expect(String(asDict(context, entry(catalog, 'Kind')))).to.match(/JavaScript/);
    expect([...everyObject(context)].some((object) => String(object).includes('/JS'))).to.equal(false);
  });

  it('distinguishes links from other annotations', () => {
    const context = PDFContext.create();
    const shared = put(context, named('A', put(context, script())));
    const link = put(context, { Subtype: 'Link', A: put(context, script()) });
    documentWith(context, { Link: link, OpenAction: shared });
    expect(pruneActions(context, ({ kind, link: onLink }) => kind === 'JavaScript' && onLink)).to.equal(1);
    expect(entry(asDict(context, link) ?? dictOf(context, {}), 'A')).to.equal(undefined);
    expect(chain(context, shared)).to.equal('A JavaScript');
  });

  it('handles cycles and endless chains', () => {
    const context = PDFContext.create();
    const loop = context.nextRef();
    context.assign(loop, context.obj(named('A', put(context, script(loop))) as never));
    let long: PDFRef = put(context, named('end'));
    for (let i = 0; i < 50_000; i++) long = put(context, i % 2 === 0 ? script(long) : named('step', long));
    let wide: PDFRef = put(context, script());
    for (let i = 0; i < 60; i++) wide = put(context, named('wide', context.obj([wide, wide, wide])));
    const catalog = documentWith(context, {
      OpenAction: loop,
      One: context.obj({ A: long }),
      Other: context.obj({ A: wide }),
    });
    expect(scripts(context)).to.be.greaterThan(250);
    expect(chain(context, entry(asDict(context, entry(catalog, 'One')) ?? catalog, 'A'))).to.match(
      /^(?:step ?){200,600}/,
    );
    expect([...everyObject(context)].some((object) => String(object).includes('/JS'))).to.equal(false);
  });
});
