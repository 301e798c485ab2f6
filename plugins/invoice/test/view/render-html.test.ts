import { languages } from '@quire/document/invoices/labels';
import type { Invoice } from '@quire/document/invoices/model';
import { expect } from 'chai';
import { renderHtml } from '../../src/functions/render-html.js';
import { formatValue } from '../../src/functions/view/part.js';
import { fullInvoice } from '../support/full-invoice.js';
import { textOfHtml } from '../support/text-of-html.js';

describe('an invoice as HTML', () => {
  it('shows every value of an invoice that has all terms of the model, in each language', () => {
    const { invoice, held } = fullInvoice();
    expect(held.length).to.be.greaterThan(300);
    for (const language of languages) {
      const text = textOfHtml(renderHtml({ invoice, further: [] }, language));
      for (const { term, value } of held) {
        const isCode = term.type === 'code';
        const shown = isCode ? String(value) : formatValue(term, value, language).replace(/\s+/g, ' ');
        expect(text, `${term.id} ${language}`).to.include(shown);
      }
    }
  });

  it('invents nothing: an empty invoice has a title, and no facts', () => {
    const html = renderHtml({ invoice: {}, further: [] }, 'de');
    expect(html).to.not.match(/<(dl|table|h2)/);
    expect(html).to.include('<h1><bdi>Rechnung</bdi></h1>');
  });

  it('lists what the model has no place for with its path', () => {
    const further = [
      { path: '/rsm:CrossIndustryInvoice/ram:ShippingMarks', value: 'Kiste 7' },
      { path: '/rsm:CrossIndustryInvoice/ram:ID/@schemeID', value: '0007' },
    ];
    const text = textOfHtml(renderHtml({ invoice: {}, further }, 'en'));
    expect(text).to.include('Further data of the file');
    expect(text).to.include('/rsm:CrossIndustryInvoice/ram:ShippingMarks Kiste 7');
    expect(text).to.include('/rsm:CrossIndustryInvoice/ram:ID/@schemeID 0007');
  });

  it('writes amounts and dates as the language does, digit by digit', () => {
    const invoice: Invoice = {
      issueDate: '2025-01-31',
      dueDate: '2025-02-30',
      currency: 'EUR',
      totals: { withVat: '1234567.5', due: '-0.50', paid: '12345678901234567890.123456789', rounding: '1,5' },
    };
    const texts = languages.map((language) => textOfHtml(renderHtml({ invoice, further: [] }, language)));
    const expected = [
      ['31.01.2025', '2025-02-30', '1.234.567,5 ', '-0,50', '12.345.678.901.234.567.890,123456789', ' 1,5 '],
      ['31 January 2025', '2025-02-30', '1,234,567.5 ', '-0.50', '12,345,678,901,234,567,890.123456789', ' 1,5 '],
      ['31/01/2025', '2025-02-30', '1 234 567,5 ', '-0,50', '12 345 678 901 234 567 890,123456789', ' 1,5 '],
    ];
    expected.forEach((values, i) => {
      for (const value of values) expect(texts[i]).to.include(value);
    });
  });

  it('groups an IBAN in fours, and leaves other account numbers alone', () => {
    const transfers = [{ account: 'DE02120300000000202051' }, { account: '12345-6789 X' }];
    const text = textOfHtml(renderHtml({ invoice: { payment: { transfers } }, further: [] }, 'de'));
    expect(text).to.include('DE02 1203 0000 0000 2020 51');
    expect(text).to.include('12345-6789 X');
  });

  it('is one file: no script, no link, no picture, no request, and a policy that forbids them', () => {
    const { invoice } = fullInvoice();
    const html = renderHtml({ invoice, further: [] }, 'fr');
    expect(html).to.match(/^<!doctype html>\n<html lang="fr">/);
    expect(html).to.include("default-src 'none'");
    expect(html).to.not.match(/<(script|link|img|iframe|object|embed|a|form|svg)\b/i);
    expect(html).to.not.match(/@import|url\(/i);
  });

  it('is accessible: one title, headings without gaps, headers with scope, a caption for each table', () => {
    const { invoice } = fullInvoice();
    const html = renderHtml({ invoice, further: [] }, 'en');
    expect(html.match(/<h1/g)).to.have.length(1);
    const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    levels.forEach((level, i) => expect(level - (levels[i - 1] ?? 0), `heading ${i}`).to.be.at.most(1));
    expect(html.match(/<th(?! scope=)\b(?!ead)/g)).to.equal(null);
    expect(html.match(/<caption>/g)?.length).to.equal(html.match(/<table>/g)?.length);
  });
});

describe('an invoice of an attacker as HTML', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '</style><script>alert(1)</script>',
    '</title><svg onload=alert(1)>',
    '<!--',
    '&lt;script&gt;',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '{{constructor.constructor("alert(1)")()}}',
  ];

  /** Every text of the invoice replaced by the attack, codes and numbers too. */
  const poisoned = (value: unknown, attack: string): unknown => {
    if (typeof value === 'string') return attack;
    if (Array.isArray(value)) return value.map((item) => poisoned(item, attack));
    return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, poisoned(inner, attack)]));
  };
  const shapeOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];

  it('has the same elements and attributes as any other, whatever the texts', () => {
    const { invoice } = fullInvoice();
    const harmless = poisoned(invoice, 'x') as Invoice;
    const expected = shapeOf(renderHtml({ invoice: harmless, further: [] }, 'de'));
    for (const attack of attacks) {
      const html = renderHtml({ invoice: poisoned(invoice, attack) as Invoice, further: [] }, 'de');
      const found = shapeOf(html).filter((tag) => !tag.startsWith('<meta name="author"'));
      expect(found, attack).to.deep.equal(expected.filter((tag) => !tag.startsWith('<meta name="author"')));
      expect(html).to.include(
        `<bdi>${attack
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')}</bdi>`,
      );
    }
  });

  it('cannot break out of the attribute with its author', () => {
    const html = renderHtml({ invoice: { seller: { name: '"><script>alert(1)</script>' } }, further: [] }, 'de');
    expect(html).to.include('<meta name="author" content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">');
  });

  it('cannot make a link of the place of a supporting document', () => {
    const supportingDocuments = [{ reference: '1', location: 'javascript:alert(1)' }];
    const html = renderHtml({ invoice: { supportingDocuments }, further: [] }, 'de');
    expect(html).to.not.include('href');
    expect(textOfHtml(html)).to.include('javascript:alert(1)');
  });

  it('cannot turn the direction of a text', () => {
    const transfers = [{ account: '\u202eDE02120300000000202051\u202c' }];
    const html = renderHtml({ invoice: { payment: { transfers } }, further: [] }, 'de');
    expect(html).to.include('<dd><bdi>DE02120300000000202051</bdi></dd>');
  });

  it('cannot inject by the names and values of unknown elements', () => {
    const html = renderHtml({ invoice: {}, further: [{ path: '/<b>', value: '</td><script>' }] }, 'de');
    expect(html).to.include('/&lt;b&gt;').and.not.include('<script');
  });
});
