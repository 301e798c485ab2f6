import { expect } from 'chai';
import { PDFDict, PDFName, PDFString } from 'pdf-lib';
import { resolve } from '../../../file/objects/index.js';
import { readDocumentScripts, readScript } from '../../../structure/actions/index.js';
import { readFields } from '../../../forms/fields/index.js';
import { renameInScript } from '../../../structure/actions/field-scripts.js';
import { buildPdf, merged } from '../support.js';

describe('renameInScript', () => {
  const names = {
    field: (name: string) => ({ sum: 'sum_2', 'sum.a': 'sum_2.a' })[name],
    destination: (name: string) => ({ top: 'top_2' })[name],
  };
  const cases: readonly (readonly [why: string, script: string, after: string])[] = [
    ['an argument of getField', 'this.getField("sum").value = 1', 'this.getField("sum_2").value = 1'],
    ['a field below it, in single quotes and with spaces', "getField( 'sum.a' )", "getField( 'sum_2.a' )"],
    [
      'lists of names',
      'this.resetForm(["sum", "other"]); AFSimple_Calculate("SUM", new Array("sum.a", "x"))',
      'this.resetForm(["sum_2", "other"]); AFSimple_Calculate("SUM", new Array("sum_2.a", "x"))',
    ],
    [
      'names within one string',
      'AFSimple_Calculate("AVG", "sum, other,sum.a")',
      'AFSimple_Calculate("AVG", "sum_2, other,sum_2.a")',
    ],
    [
      'named members of an argument',
      'this.submitForm({cURL: "sum.example", aFields: ["sum"]})',
      'this.submitForm({cURL: "sum.example", aFields: ["sum_2"]})',
    ],
    [
      'comparisons with a name',
      'if (event.target.name == "sum" || "sum" === f.name) x()',
      'if (event.target.name == "sum_2" || "sum_2" === f.name) x()',
    ],
    ['names written with escapes', 'getField("s\\u0075m")', 'getField("sum_2")'],
    ['destinations', 'this.gotoNamedDest("top")', 'this.gotoNamedDest("top_2")'],
  ];
  for (const [why, before, after] of cases)
    it(`renames names: ${why}`, () => expect(renameInScript(before, names)).to.equal(after));

  const same: readonly (readonly [why: string, script: string])[] = [
    ['text that happens to be equal', 'app.alert("sum"); var sum = "sum";'],
    ['longer names', 'getField("summary"); getField("sum.b")'],
    ['comments', '// getField("sum")\n/* getField("sum") */ getField(x /* "sum" */)'],
    ['regular expressions', 'var r = /getField("sum")/g; y = a / b; z = "/"'],
    ['calls around that are closed again', 'getField(n); alert(("sum"))'],
    ['strings that never end', 'getField("sum'],
  ];
  for (const [why, script] of same)
    it(`keeps text: ${why}`, () => expect(renameInScript(script, names)).to.equal(script));

  it('follows renamed fields and destinations through a merge, in field actions, scripts and streams', async () => {
    const file = () =>
      buildPdf((document, context) => {
        const script = (text: string) => context.obj({ S: 'JavaScript', JS: PDFString.of(text) });
        const stream = context.register(context.flateStream('getField("total").value = getField("total.sub").value;'));
        const kid = context.register(
          context.obj({
            T: PDFString.of('sub'),
            FT: 'Tx',
            Subtype: 'Widget',
            Type: 'Annot',
            Rect: [0, 0, 9, 9],
            AA: { C: { S: 'JavaScript', JS: stream } },
          }),
        );
        const field = context.register(
          context.obj({
            T: PDFString.of('total'),
            FT: 'Tx',
            Kids: [kid],
            AA: { K: script('getField("total.sub.0")') },
          }),
        );
        context.lookup(kid, PDFDict).set(PDFName.of('Parent'), field);
        document.getPage(0).node.addAnnot(kid);
        document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field] }));
        document.catalog.set(
          PDFName.of('Names'),
          context.obj({
            JavaScript: { Names: [PDFString.of('init'), script('this.gotoNamedDest("top"); getField("total.sub")')] },
            Dests: { Names: [PDFString.of('top'), [document.getPage(0).ref, 'Fit']] },
          }),
        );
      });
    const { context } = await merged(await file(), await file());
    const [, second] = readFields(context);
    const action = (dict: PDFDict | undefined, key: string): string | undefined =>
      readScript(
        context,
        resolve(context, (resolve(context, dict?.get(PDFName.of('AA'))) as PDFDict).get(PDFName.of(key))) as PDFDict,
      );
    expect(action(second?.dict, 'K')).to.equal('getField("total_2.sub.0")');
    expect(action(second?.children[0]?.dict, 'C')).to.equal(
      'getField("total_2").value = getField("total_2.sub").value;',
    );
    expect(readDocumentScripts(context).map(({ script }) => script)).to.deep.equal([
      'this.gotoNamedDest("top"); getField("total.sub")',
      'this.gotoNamedDest("top_2"); getField("total_2.sub")',
    ]);
  });
});

describe('renameInScript with hostile scripts', () => {
  const size = 200_000;

  it('takes linear time for scripts of quotes, slashes and words', () => {
    const keep = { field: () => undefined, destination: () => undefined };
    for (const piece of ['"', "'", '/', '/*', 'getField("a")', '(', '.name == "x" ', '\\'])
      expect(renameInScript(piece.repeat(size / 2), keep) === piece.repeat(size / 2), piece).to.equal(true);
  }).timeout(50_000);
});
