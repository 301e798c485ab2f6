import { expectPdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { paintedPdf } from '../functions/painted-pages.js';
import { detailOf, faults, reportOf, type InputFile, useRedaction } from './redaction-support.js';

describe('redaction with a preview over HTTP', function () {
  this.timeout(120_000);
  const call = useRedaction();

  interface Listed {
    readonly id: string;
    readonly page: number;
    readonly terms: readonly number[];
    readonly text: string;
    readonly before: string;
    readonly letters: readonly (readonly number[])[];
  }
  interface Preview {
    readonly pages: number;
    readonly matches: readonly Listed[];
    readonly elsewhere: Readonly<Record<string, number>>;
  }
  const terms = (...texts: string[]): string => JSON.stringify(texts.map((text) => ({ text })));
  const preview = async (params: Record<string, unknown>, file?: InputFile): Promise<Preview> =>
    (await call('redact-preview', params, file)).json<Preview>();

  it('lists the matches by page with their place, terms and the text around, and what is found elsewhere', async () => {
    const { pages, matches, elsewhere } = await preview({ terms: terms('roe', 'confidential'), presets: 'email' });
    expect(pages).to.equal(2);
    expect(matches.map(({ page, text, terms: numbers }) => [page, text, numbers])).to.deep.equal([
      [1, 'Roe', [1]],
      [1, 'confi-\ndential', [2]],
      [1, 'Roe', [1]],
      [1, 'Roe', [1]],
      [1, 'jane.roe@example.com', [1, 3]],
      [2, 'C O N F I D E N T I A L', [2]],
    ]);
    expect(matches[0]?.before).to.equal('Dear Jane ');
    expect(matches.map(({ letters }) => letters.length)).to.deep.equal([1, 2, 1, 1, 1, 1]);
    expect(matches[0]?.letters[0]?.map(Math.round)).to.deep.equal([131, 227, 157, 227, 157, 240, 131, 240]);
    // Author, subject and keywords.
    expect(elsewhere).to.deep.equal({ strings: 3 });
  });

  it('distinguishes case and words where a term asks for it', async () => {
    const texts = async (term: object): Promise<string[]> =>
      (await preview({ terms: JSON.stringify([term]) })).matches.map(({ text }) => text);
    expect(await texts({ text: 'roe', matchCase: true })).to.deep.equal(['roe']);
    expect(await texts({ text: 'CONFIDENTIAL', matchCase: true })).to.deep.equal(['C O N F I D E N T I A L']);
    expect(await texts({ text: 'roe', wholeWord: true })).to.deep.equal(['Roe', 'Roe', 'roe']);
    expect(await texts({ text: 'R[a-z]+k', regex: true, matchCase: true })).to.deep.equal(['Roebuck']);
  });

  it('knows ready patterns, and names those that it does not know', async () => {
    const lines = [
      'a.b-c@mail.example.org and +49 (0) 30 123-4567',
      'DE89 3704 0044 0532 0130 00 or GB29NWBK60161331926819',
      '4111 1111 1111 1111 on 2026-11-28, 3.4.2025',
      'https://example.org/a?b=1 costs 12.50 for 2026',
    ];
    const shown = lines.map((line, i) => `BT /H 10 Tf 20 ${200 - 20 * i} Td (${line.replace(/[()]/g, '\\$&')}) Tj ET`);
    const file = { name: 'a.pdf', bytes: await paintedPdf([{ content: shown.join('\n') }]) };
    const texts = async (presets: string): Promise<string[]> =>
      (await preview({ presets }, file)).matches.map(({ text }) => text);
    expect(await texts('email')).to.deep.equal(['a.b-c@mail.example.org']);
    expect(await texts('phone')).to.deep.equal(['+49 (0) 30 123-4567']);
    expect(await texts('iban')).to.deep.equal(['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819']);
    expect(await texts('card')).to.deep.equal(['4111 1111 1111 1111']);
    expect(await texts('date')).to.deep.equal(['2026-11-28', '3.4.2025']);
    expect(await texts('address')).to.deep.equal(['https://example.org/a?b=1']);
    expect(faults(await call('redact-preview', { presets: ['email', 'shoe'] }))).to.deep.equal([
      400,
      'INPUT_INVALID',
      ['/presets'],
    ]);
  });

  it('names the term that is not a usable pattern, and asks for one where there is none', async () => {
    const wrong = JSON.stringify([{ text: 'a' }, { text: '(b', regex: true }]);
    expect(faults(await call('redact-preview', { terms: wrong }))).to.deep.equal([
      400,
      'INPUT_INVALID',
      ['/terms/1/text'],
    ]);
    expect(faults(await call('redact-preview', { terms: '[]' }))[2]).to.deep.equal(['/terms']);
    expect(faults(await call('redact-preview', { terms: '[{"regex": true}]' }))[2]).to.deep.equal(['/terms/0/text']);
  });

  it('keeps the ids of matches when further terms are searched for', async () => {
    const some = await preview({ terms: terms('roe') });
    const more = await preview({ terms: terms('nothing', 'letter', 'roe') });
    const ids = more.matches.map(({ id }) => id);
    expect(some.matches.length).to.equal(4);
    for (const { id } of some.matches) expect(ids).to.include(id);
  });

  it('lets redact-execute keep chosen matches and remove exactly the others', async () => {
    const { matches } = await preview({ terms: terms('roe', 'confidential') });
    const stay = matches.filter(({ text }) => text === 'roe' || text.startsWith('C O N')).map(({ id }) => id);
    expect(stay.length).to.equal(2);
    const answer = await call('redact-execute', { terms: terms('roe', 'confidential'), keep: stay.join(',') });
    expect([answer.status, reportOf(answer)]).to.deep.equal([200, { matches: 4, keptMatches: 2 }]);
    await expectPdf(answer.bytes)
      .text(1, /at jane\.roe@example\.com/)
      .text(2, /C O N F I D E N T I A L/)
      .noText(/Roe|confi|dential/);
    const left = await preview({ terms: terms('roe', 'confidential') }, { name: 'b.pdf', bytes: answer.bytes });
    expect(left.matches.map(({ id }) => id).sort()).to.deep.equal([...stay].sort());
    // Nothing can be kept in author, subject and keywords.
    expect(left.elsewhere).to.deep.equal({});
  });

  it('refuses to keep a match that is not there', async () => {
    const answer = await call('redact-execute', { terms: terms('roe'), keep: 'feedfeedfeedfeed' });
    expect(faults(answer)).to.deep.equal([400, 'INPUT_INVALID', ['/keep']]);
    expect(detailOf(answer)).to.match(/feedfeedfeedfeed.*redact-preview/);
  });

  it('writes a caption into boxes that have room for it, but no term', async () => {
    const style = JSON.stringify({ caption: 'Gelöscht § 5' });
    const imageBoxes = '[{"pageIndex": 0, "x1": 55, "y1": 55, "x2": 150, "y2": 105}]';
    const answer = await call('redact-execute', { terms: terms('Jane Roe', 'Roebuck'), imageBoxes, style });
    expect(answer.status).to.equal(200);
    await expectPdf(answer.bytes)
      .text(1, /Gelöscht § 5/)
      .noText(/Jane Roe|Roebuck/);
    const refused = await call('redact-execute', { terms: terms('roe'), style: '{"caption": "was Roe"}' });
    expect(faults(refused)).to.deep.equal([400, 'INPUT_INVALID', ['/style/caption']]);
  });
});
