import { expectPdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFName, type PDFRawStream, type PDFRef } from 'pdf-lib';
import { paintedPdf } from '../functions/painted-pages.js';
import { detailOf, faults, reportOf, useRedaction } from './redaction-support.js';

describe('redaction over HTTP', function () {
  this.timeout(120_000);
  const call = useRedaction();

  describe('auto-redact', () => {
    it('removes terms on separate lines, does not split at commas, and reports the number of matches', async () => {
      const answer = await call('auto-redact', { listOfText: '  Jane Roe \r\n\n confidential ' });
      expect([answer.status, answer.fileName, reportOf(answer)]).to.deep.equal([
        200,
        'letter_redacted.pdf',
        { matches: 4 },
      ]);
      await expectPdf(answer.bytes)
        .pages(2)
        .noText(/Jane|confi|dential|C O N F/)
        .text(1, /Roebuck/)
        .text(1, /nobody but/)
        .text(2, /Nothing else/);
      await expectPdf((await call('auto-redact', { listOfText: 'Jane Roe,nobody' })).bytes).text(1, /Jane Roe/);
    });

    it('matches whole words and patterns when asked', async () => {
      await expectPdf((await call('auto-redact', { listOfText: 'roe', wholeWordSearch: true })).bytes)
        .text(1, /Roebuck/)
        .noText(/\bRoe\b/);
      await expectPdf((await call('auto-redact', { listOfText: 'roe' })).bytes)
        .text(1, /buck/)
        .noText(/Roe/);
      await expectPdf(
        (await call('auto-redact', { listOfText: '\\b\\d{3}-\\d{2}-\\d{4}\\b\n[\\w.]+@[\\w.]+', useRegex: true }))
          .bytes,
      )
        .noText(/123-45|jane\.roe/)
        .text(1, /\+49 30/);
    });

    it('returns the document if nothing is found', async () => {
      const answer = await call('auto-redact', { listOfText: 'nowhere to be seen' });
      expect([answer.status, reportOf(answer)]).to.deep.equal([200, { matches: 0 }]);
      await expectPdf(answer.bytes)
        .pages(2)
        .text(1, /Jane Roe/);
    });

    it('converts pages to images when asked', async () => {
      await expectPdf((await call('auto-redact', { listOfText: 'secret', convertPDFToImage: true })).bytes)
        .pages(2)
        .noText(/\w/);
    });

    it('refuses missing and blank terms, unusable patterns, and fields out of range', async () => {
      expect(faults(await call('auto-redact', {}))).to.deep.equal([400, 'INPUT_INVALID', ['/listOfText']]);
      expect(faults(await call('auto-redact', { listOfText: ' \n ' }))).to.deep.equal([
        400,
        'INPUT_INVALID',
        ['/listOfText'],
      ]);
      const invalid = await call('auto-redact', { listOfText: 'fine\n(open\n[z-a]', useRegex: true });
      expect(faults(invalid)).to.deep.equal([400, 'INPUT_INVALID', ['/listOfText', '/listOfText']]);
      expect(detailOf(invalid)).to.match(/term 2 .*not closed.*term 3 .*backwards/);
      expect(faults(await call('auto-redact', { listOfText: 'x', customPadding: -1 }))).to.deep.equal([
        400,
        'INPUT_INVALID',
        ['/customPadding'],
      ]);
      expect(faults(await call('auto-redact', { listOfText: 'x', customPadding: 'NaN' }))).to.deep.equal([
        400,
        'INPUT_INVALID',
        ['/customPadding'],
      ]);
    });

    it('refuses a pattern that never ends, and returns nothing', async () => {
      const file = {
        name: 'long.pdf',
        bytes: await paintedPdf([{ content: `BT /H 4 Tf 10 200 Td (${'a'.repeat(60)}!) Tj ET` }]),
      };
      const answer = await call('auto-redact', { listOfText: 'b\n(a+)+$', useRegex: true }, file);
      expect([answer.status, answer.code]).to.deep.equal([422, 'PATTERN_TOO_SLOW']);
      expect(detailOf(answer)).to.match(/pattern 2/);
    });

    it('handles a page whose form contains itself', async () => {
      const bytes = await paintedPdf(
        [{ content: '/F Do', forms: { F: { content: 'BT /H 12 Tf 50 200 Td (secret word) Tj ET /F Do' } } }],
        (document) => {
          const ref = document
            .getPage(0)
            .node.Resources()!
            .lookup(PDFName.of('XObject'), PDFDict)
            .get(PDFName.of('F')) as PDFRef;
          (document.context.lookup(ref) as PDFRawStream).dict
            .lookup(PDFName.of('Resources'), PDFDict)
            .lookup(PDFName.of('XObject'), PDFDict)
            .set(PDFName.of('F'), ref);
        },
      );
      const answer = await call('auto-redact', { listOfText: 'secret' }, { name: 'loop.pdf', bytes });
      expect(answer.status).to.equal(200);
      await expectPdf(answer.bytes).noText(/secret/);
    });
  });

  describe('redact', () => {
    const area = (more: Record<string, unknown> = {}): string =>
      JSON.stringify([{ page: 1, x: 55, y: 55, width: 130, height: 20, color: '#ff0000', ...more }]);

    it('removes what an area touches, measured from the top left of the crop box', async () => {
      const answer = await call('redact', { redactions: area() });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'letter_redacted.pdf']);
      await expectPdf(answer.bytes)
        .pages(2)
        .noText(/Dear/)
        .text(1, /your number/)
        .text(2, /C O N F/);
    });

    it('measures from the crop box as the page is stored, whatever its rotation', async () => {
      const file = {
        name: 'turned.pdf',
        bytes: await paintedPdf([
          {
            content: 'BT /H 12 Tf 110 180 Td (left) Tj 100 0 Td (right) Tj ET',
            entries: { Rotate: 90, CropBox: [100, 100, 300, 200], UserUnit: 3 },
          },
        ]),
      };
      await expectPdf(
        (await call('redact', { redactions: '{"page": 1, "x": 5, "y": 5, "width": 40, "height": 20}' }, file)).bytes,
      )
        .text(1, /right/)
        .noText(/left/);
    });

    it('empties whole pages', async () => {
      await expectPdf((await call('redact', { redactions: '', pageNumbers: '2' })).bytes)
        .pages(2)
        .text(1, /Jane/)
        .noText(/C O N F|Nothing/);
    });

    it('ignores areas without a page or size and those past the end, and accepts a call without areas', async () => {
      for (const redactions of [
        '',
        '[]',
        'null',
        area({ page: 0 }),
        area({ page: null }),
        area({ page: 9 }),
        area({ width: 0 }),
        area({ height: -4 }),
        area({ x: 5000 }),
      ]) {
        const answer = await call('redact', { redactions });
        expect(answer.status, redactions).to.equal(200);
        await expectPdf(answer.bytes).pages(2).text(1, /Dear/);
      }
    });

    it('limits areas to the page and accepts numbers written as text', async () => {
      await expectPdf(
        (await call('redact', { redactions: area({ x: '-1000', y: -1000, width: 1e6, height: '1e6' }) })).bytes,
      )
        .text(2, /Nothing/)
        .noText(/Dear|your/);
    });

    it('names the invalid item and member', async () => {
      const cases: Readonly<Record<string, string>> = {
        '[{"page": 1, "width": 5, "height": 5, "y": 1}]': '/redactions/0/x',
        '[{}, {"page": 1, "width": 5, "height": 5, "x": 1}]': '/redactions/1/y',
        '[{"page": 1, "x": "left", "y": 1, "width": 5, "height": 5}]': '/redactions/0/x',
        '[{"page": 1.5}]': '/redactions/0/page',
        '[{"page": 1, "x": 1e999, "y": 1, "width": 5, "height": 5}]': '/redactions/0/x',
        '[3]': '/redactions/0',
        '[{"page": 1, "x": NaN}]': '/redactions',
        '{"page": 1': '/redactions',
      };
      for (const [redactions, pointer] of Object.entries(cases))
        expect(faults(await call('redact', { redactions })), redactions).to.deep.equal([
          400,
          'INPUT_INVALID',
          [pointer],
        ]);
      expect((await call('redact', { pageNumbers: 'x' })).code).to.equal('PAGES_INVALID');
    });
  });

  describe('redact-execute', () => {
    it('removes phrases, patterns and pages in one call', async () => {
      const answer = await call('redact-execute', {
        textValues: ['Jane Roe', 'nobody'],
        regexPatterns: ['\\d{3}-\\d{2}-\\d{4}', '\\+49 [\\d ]{3,20}'],
        wipePages: ['2', 'x'],
      });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'letter_redacted.pdf']);
      await expectPdf(answer.bytes)
        .pages(2)
        .noText(/Jane Roe|nobody|123-45|\+49|Nothing/)
        .text(1, /Roebuck/);
    });

    it('searches for a value with commas as a whole and by its parts', async () => {
      await expectPdf((await call('redact-execute', { textValues: 'nobody,Roebuck' })).bytes)
        .noText(/nobody|Roebuck/)
        .text(1, /Jane/);
      await expectPdf((await call('redact-execute', { regexPatterns: '\\d{3,7}' })).bytes)
        .noText(/123|6789/)
        .text(1, /-45-/);
    });

    it('removes from a start to the next end, and to the end of the document without one', async () => {
      await expectPdf(
        (await call('redact-execute', { ranges: '[{"startString": "This letter", "endString": "may read it"}]' }))
          .bytes,
      )
        .noText(/This letter|dential|nobody|may read/)
        .text(1, /your number/)
        .text(1, /Roebuck/);
      await expectPdf((await call('redact-execute', { ranges: '{"startString": "ROEBUCK  ltd"}' })).bytes)
        .noText(/Roebuck|example|C O N F|Nothing/)
        .text(1, /may read it/);
      const skipped = await call('redact-execute', {
        ranges: '[{"startString": "nowhere"}, {"startString": "Dear", "endString": "never"}]',
      });
      expect([skipped.status, reportOf(skipped)]).to.deep.equal([200, { rangesSkipped: 2 }]);
    });

    it('reads two columns one after another', async () => {
      const line = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`;
      const rows = [0, 1, 2, 3].flatMap((i) => [
        line(20, 200 - i * 15, `left column line number ${i}`),
        line(220, 200 - i * 15, `right column line number ${i}`),
      ]);
      const file = { name: 'columns.pdf', bytes: await paintedPdf([{ content: `BT /H 12 Tf ${rows.join(' ')} ET` }]) };
      const answer = await call(
        'redact-execute',
        { ranges: '[{"startString": "number 2", "endString": "right column line number 0"}]' },
        file,
      );
      await expectPdf(answer.bytes)
        .text(1, /left column line number 1/)
        .text(1, /right column line number 1/)
        .text(1, /right column line number 3/)
        .noText(/left column line number 3|right column line number 0/);
    });

    it('removes boxes in user space, with pages from 0, and ignores pages that do not exist', async () => {
      const answer = await call('redact-execute', {
        imageBoxes:
          '[{"pageIndex": 0, "x1": 190, "y1": 245, "x2": 55, "y2": 225}, {"pageIndex": 7, "x1": 0, "y1": 0, ' +
          '"x2": 9, "y2": 9}]',
      });
      await expectPdf(answer.bytes)
        .noText(/Dear/)
        .text(1, /your number/);
    });

    it('never leaves text under a box, and reports it if that was requested', async () => {
      const answer = await call('redact-execute', { textValues: ['nobody'], style: '{"strategy": "OVERLAY_ONLY"}' });
      expect(reportOf(answer)).to.deep.equal({ matches: 1, strategy: 'AUTO' });
      await expectPdf(answer.bytes).noText(/nobody/);
      await expectPdf(
        (await call('redact-execute', { redactImagePages: '', style: '{"strategy": "IMAGE_FINALIZE"}' })).bytes,
      )
        .pages(2)
        .noText(/\w/);
    });

    it('refuses a call without targets and invalid fields', async () => {
      expect(detailOf(await call('redact-execute', {}))).to.match(/error\.redaction\.no\.targets/);
      expect((await call('redact-execute', { wipePages: 'x' })).status).to.equal(400);
      const cases: readonly (readonly [Record<string, unknown>, string])[] = [
        [{ ranges: '[' }, '/ranges'],
        [{ ranges: '[{}]' }, '/ranges/0/startString'],
        [{ imageBoxes: 'x' }, '/imageBoxes'],
        [{ imageBoxes: '[{"pageIndex": 0, "x1": "a"}]' }, '/imageBoxes/0/x1'],
        [{ textValues: 'a', style: '{' }, '/style'],
        [{ textValues: 'a', style: '{"padding": -1}' }, '/style/padding'],
        [{ textValues: 'a', style: '{"strategy": "HIDE"}' }, '/style/strategy'],
        [{ regexPatterns: '(a' }, '/regexPatterns'],
      ];
      for (const [params, pointer] of cases)
        expect(faults(await call('redact-execute', params)), JSON.stringify(params)).to.deep.equal([
          400,
          'INPUT_INVALID',
          [pointer],
        ]);
    });
  });
});
