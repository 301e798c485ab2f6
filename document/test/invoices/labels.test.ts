import { expect } from 'chai';
import { codeMeaning, labelOf, languages, schemeName } from '../../invoices/labels/index.js';
import { termLabels } from '../../invoices/labels/terms.js';
import { invoiceModel, type Group, type Term } from '../../invoices/model/index.js';

/** Every term and group of the model, each once: a sub line contains itself. */
function everything(node: Term | Group, seen = new Set<Term | Group>()): Set<Term | Group> {
  if (seen.has(node)) return seen;
  seen.add(node);
  if (node.node === 'group') for (const inner of Object.values(node.terms)) everything(inner, seen);
  return seen;
}

const all = [...everything(invoiceModel)];

describe('labels of invoices', () => {
  it('name every term and group of the model in three languages', () => {
    expect(all.length).to.be.greaterThan(190);
    for (const { id } of all)
      for (const language of languages) expect(labelOf(id, language), `${id} ${language}`).to.match(/^\S(.*\S)?$/);
  });

  it('name nothing else', () => {
    const ids = new Set(all.map(({ id }) => id));
    expect(Object.keys(termLabels).filter((id) => !ids.has(id))).to.deep.equal([]);
  });

  it('differ within a group, so that no two facts of one party look the same', () => {
    for (const node of all) {
      if (node.node === 'term') continue;
      for (const language of languages) {
        const labels = Object.values(node.terms).flatMap((inner) =>
          inner.node === 'term' ? [labelOf(inner.id, language)] : [],
        );
        expect(new Set(labels).size, `${node.id} ${language}: ${labels.join(', ')}`).to.equal(labels.length);
      }
    }
  });

  it('are what an accountant says', () => {
    expect(languages.map((language) => labelOf('BT-1', language))).to.deep.equal([
      'Rechnungsnummer',
      'Invoice number',
      'Numéro de facture',
    ]);
    expect(() => labelOf('BT-4', 'de')).to.throw(RangeError, 'no label for BT-4');
  });

  it('give the meaning of the codes that readers meet', () => {
    const known: Readonly<Record<string, readonly string[]>> = {
      'BT-3': ['380', '381', '384', '326', '389', '875', '876', '877'],
      'BT-81': ['10', '30', '42', '48', '49', '54', '55', '57', '58', '59', '97'],
      'BT-118': ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'],
      'BT-130': ['HUR', 'C62', 'H87', 'DAY', 'KGM', 'MTR', 'LTR', 'KWH', 'MON'],
      'BT-55': ['DE', 'FR', 'AT'],
      'BT-5': ['EUR', 'CHF'],
    };
    for (const [term, codes] of Object.entries(known))
      for (const code of codes)
        for (const language of languages)
          expect(codeMeaning(term, code, language), `${term} ${code} ${language}`).to.be.a('string').and.not.empty;
    expect(codeMeaning('BT-40', 'DE', 'de')).to.equal('Deutschland');
    expect(codeMeaning('BT-40', 'DE', 'fr')).to.equal('Allemagne');
    expect(codeMeaning('BT-5', 'CHF', 'en')).to.equal('Swiss Franc');
  });

  it('give no meaning to codes that nobody knows, not even to names of JavaScript', () => {
    for (const code of ['', 'constructor', '__proto__', '999', 'de', 'Deutschland'])
      for (const term of ['BT-3', 'BT-40', 'BT-5', 'BT-130', 'BT-1'])
        expect(codeMeaning(term, code, 'de'), `${term} ${code}`).to.equal(undefined);
    expect(schemeName('constructor')).to.equal('constructor');
    expect(schemeName('0088')).to.equal('GLN (0088)');
  });
});
