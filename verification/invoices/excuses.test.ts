import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Invoice } from '../../document/invoices/model/index.js';
import { writeInvoice, type WriteTarget } from '../../document/invoices/syntaxes/index.js';
import { sampleInvoice } from '../../plugins/invoice/test/support/sample-invoice.js';
import { excuseFor } from './excuses.js';

describe('excuses for rules that a converted invoice breaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-excuses-'));
  after(() => rmSync(folder, { recursive: true }));

  function convert(
    invoice: Invoice,
    from: 'cii' | 'ubl',
    target: Required<WriteTarget>,
    damage: (xml: string) => string = (xml) => xml,
  ) {
    const [source, path] = [join(folder, 'source.xml'), join(folder, 'converted.xml')];
    writeFileSync(source, writeInvoice(invoice, { syntax: from }).xml);
    const { xml, lost } = writeInvoice(invoice, target);
    writeFileSync(path, damage(xml));
    return { source, path, target, lost };
  }

  const wrongTotal = (xml: string): string => xml.replace(/(<ram:GrandTotalAmount>)[^<]*/, '$11.00');

  it('are none where the conversion changed a value or damaged an element', () => {
    const target = { syntax: 'cii', profile: 'en16931' } as const;
    for (const from of ['cii', 'ubl'] as const) {
      expect(excuseFor('BR-CO-15', convert(sampleInvoice(), from, target, wrongTotal)), from).to.equal(undefined);
      expect(excuseFor('structure', convert(sampleInvoice(), from, target)), from).to.equal(undefined);
    }
  });

  it('are that the source breaks the rule, or does not have what it demands', () => {
    const { delivery: _delivery, ...invoice } = sampleInvoice();
    const target = { syntax: 'cii', profile: 'en16931' } as const;
    expect(excuseFor('BR-FX-EN-04', convert(invoice, 'cii', target))).to.equal('the source breaks it too');
    expect(excuseFor('BR-FX-EN-04', convert(invoice, 'ubl', target))).to.equal('its terms are those of the source');
    const dropped = (xml: string): string =>
      xml.replace(/<ram:ActualDeliverySupplyChainEvent>[\s\S]*?<\/ram:Act\w+>/, '');
    expect(excuseFor('BR-FX-EN-04', convert(sampleInvoice(), 'ubl', target, dropped))).to.equal(undefined);
  });

  it('are that a term that the rule needs was listed as lost', () => {
    const invoice = sampleInvoice();
    const rounded = { ...invoice, totals: { ...invoice.totals, rounding: '0.01', due: '357.01' } };
    const found = excuseFor('BR-CO-16', convert(rounded, 'cii', { syntax: 'cii', profile: 'basic' }));
    expect(found).to.equal('a term that it needs was listed as lost');
  });
});
