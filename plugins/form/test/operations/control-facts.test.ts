import { callOperation, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { degrees, PDFDocument, PDFHexString, PDFName } from 'pdf-lib';

interface Located {
  readonly name: string;
  readonly widgets?: { readonly tabOrder: number; readonly hidden?: true }[];
  readonly signed?: boolean;
  readonly lockedBy?: string;
}

/** A page with controls of every look, two beside each other on each line; its annotations are listed by name. */
async function controls(tabs = 'S', turn = 0): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const page = document.addPage([300, 400]);
  page.setRotation(degrees(turn));
  page.node.set(PDFName.of('Tabs'), PDFName.of(tabs));
  const text = (value: string): PDFHexString => PDFHexString.fromText(value);
  const lock = { Type: 'SigFieldLock', Action: 'Include', Fields: [text('iban')] };
  const signature = { Type: 'Sig', ByteRange: [0, 1, 2, 3] };
  const pairs = (...all: [string, string][]): PDFHexString[][] => all.map((pair) => pair.map(text));
  const fields = {
    iban: { FT: 'Tx', Ff: 1 << 24, MaxLen: 8, Q: 2, MK: { R: 90 }, Rect: [20, 350, 120, 370] },
    pin: { FT: 'Tx', Ff: (1 << 13) | (1 << 24), Rect: [150, 345, 250, 365] },
    country: {
      FT: 'Ch',
      F: 2,
      Ff: (1 << 17) | (1 << 18),
      Opt: pairs(['de', 'Germany'], ['fr', 'France']),
      Rect: [20, 300, 120, 320],
    },
    languages: {
      FT: 'Ch',
      F: 32,
      Ff: 1 << 21,
      Opt: ['a, b', 'c', 'd'].map(text),
      V: ['a, b', 'c'].map(text),
      Rect: [150, 300, 250, 320],
    },
    send: { FT: 'Btn', Ff: 1 << 16, MK: { CA: text('Send it') }, Rect: [20, 250, 120, 270] },
    approval: { FT: 'Sig', Rect: [150, 250, 250, 270] },
    signature: { FT: 'Sig', V: signature, Lock: lock, Rect: [20, 200, 120, 220] },
  };
  const refs = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) =>
      context.register(context.obj({ Type: 'Annot', Subtype: 'Widget', T: text(name), ...field } as never)),
    );
  page.node.set(PDFName.of('Annots'), context.obj(refs));
  document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: refs }));
  return document.save({ updateFieldAppearances: false });
}

describe('Located fields over HTTP', function suite() {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-form'] });
  const locate = async (bytes: Uint8Array): Promise<Located[]> =>
    (
      await callOperation(server.url, {
        path: 'form/fields-with-coordinates',
        files: [{ name: 'form.pdf', bytes }],
      })
    ).json<Located[]>();

  it('report what a control on the page needs', async () => {
    const located = await locate(await controls());
    const of = (wanted: string): Located => located.find(({ name }) => name === wanted)!;
    expect(of('iban')).to.include({ maxLength: 8, comb: true, password: false, editable: false });
    expect(of('iban').widgets?.[0]).to.include({ alignment: 'right', rotation: 90 });
    expect(of('pin')).to.include({ password: true, comb: false }).and.not.to.have.any.keys('maxLength', 'choices');
    expect(of('country'))
      .to.include({ editable: true })
      .and.to.deep.include({
        choices: [
          { value: 'de', label: 'Germany' },
          { value: 'fr', label: 'France' },
        ],
      });
    expect(of('languages')).to.deep.include({ values: ['a, b', 'c'], value: 'a, b,c' });
    expect(of('send').widgets?.[0]).to.include({ caption: 'Send it' });
    expect([of('signature').signed, of('approval').signed, of('pin').signed]).to.deep.equal([true, false, undefined]);
    expect([of('iban').lockedBy, of('pin').lockedBy]).to.deep.equal(['signature', undefined]);
    expect(located.flatMap(({ name, widgets }) => (widgets?.some(({ hidden }) => hidden) ? [name] : []))).to.deep.equal(
      ['country', 'languages'],
    );
  });

  it('report the tab order that the page states: rows, columns, or that of its annotations', async () => {
    const order = async (tabs: string, turn = 0): Promise<string[]> =>
      (await locate(await controls(tabs, turn)))

        .map(({ name, widgets }) => ({ name, place: widgets?.[0]?.tabOrder ?? -1 }))
        .sort((a, b) => a.place - b.place)
        .map(({ name }) => name);
    const listed = ['approval', 'country', 'iban', 'languages', 'pin', 'send', 'signature'];
    expect(await order('S')).to.deep.equal(listed);
    expect(await order('A')).to.deep.equal(listed);
    expect(await order('R')).to.deep.equal(['iban', 'pin', 'country', 'languages', 'send', 'approval', 'signature']);
    expect(await order('C')).to.deep.equal(['iban', 'country', 'send', 'signature', 'pin', 'languages', 'approval']);
    expect(await order('R', 180), 'as the page is shown').to.deep.equal([
      'signature',
      'approval',
      'send',
      'languages',
      'country',
      'pin',
      'iban',
    ]);
  });
});
