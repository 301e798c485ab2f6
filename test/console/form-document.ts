import { degrees, PDFArray, PDFDocument, PDFHexString, PDFName, type PDFField, StandardFonts } from 'pdf-lib';

/** The crop box of the second page: left, bottom, width, height. */
export const CROP = [100, 200, 400, 500] as const;
/** Page whose field is far from the others. */
export const LAST_PAGE = 6;

/** Widgets by field, as they are placed: left, bottom, width, height in the page's own coordinates. */
export const PLACES = {
  'person.name': [150, 760, 200, 20],
  iban: [150, 730, 160, 20],
  turned: [110, 640, 150, 20],
} as const;

/** A form with a field of every kind; its second page is cropped and turned by 90 degrees. */
export async function formDocument(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const form = document.getForm();
  const pages = Array.from({ length: LAST_PAGE + 1 }, () => document.addPage([595, 842]));
  const [first, second] = pages as [(typeof pages)[number], (typeof pages)[number]];
  second.setCropBox(...CROP);
  second.setRotation(degrees(90));
  const place = ([x, y, width, height]: readonly [number, number, number, number]) => ({ x, y, width, height, font });
  const set = (field: PDFField, entries: Readonly<Record<string, unknown>>): void => {
    for (const [key, value] of Object.entries(entries))
      field.acroField.dict.set(PDFName.of(key), document.context.obj(value as never));
  };
  const text = (value: string): PDFHexString => PDFHexString.fromText(value);

  const name = form.createTextField('person.name');
  name.addToPage(first, place(PLACES['person.name']));
  name.enableRequired();
  set(name, { TU: text('Your name') });
  const iban = form.createTextField('iban');
  iban.addToPage(first, place(PLACES.iban));
  iban.setMaxLength(8);
  iban.enableCombing();
  const remarks = form.createTextField('remarks');
  remarks.enableMultiline();
  remarks.addToPage(first, place([150, 640, 200, 80]));
  const secret = form.createTextField('secret');
  secret.enablePassword();
  secret.addToPage(first, place([150, 610, 100, 20]));
  const terms = form.createCheckBox('terms');
  terms.enableRequired();
  terms.addToPage(first, { x: 150, y: 580, width: 16, height: 16 });
  const payment = form.createRadioGroup('payment');
  payment.addOptionToPage('card', first, { x: 150, y: 550, width: 16, height: 16 });
  payment.addOptionToPage('invoice', first, { x: 190, y: 550, width: 16, height: 16 });
  const town = form.createDropdown('town');
  town.addToPage(first, place([150, 520, 120, 20]));
  const colour = form.createDropdown('colour');
  colour.enableEditing();
  colour.addToPage(first, place([150, 490, 120, 20]));
  const languages = form.createOptionList('languages');
  languages.enableMultiselect();
  languages.addToPage(first, place([150, 420, 120, 60]));
  const fixed = form.createTextField('fixed');
  fixed.setText('never changes');
  fixed.enableReadOnly();
  fixed.addToPage(first, place([150, 390, 120, 20]));
  const send = form.createButton('send');
  send.addToPage('Send', first, place([150, 360, 60, 20]));
  const twice = form.createTextField('twice');
  twice.setText('everywhere');
  twice.addToPage(first, place([150, 330, 120, 20]));
  twice.addToPage(second, place([110, 600, 120, 20]));
  const turned = form.createTextField('turned');
  turned.addToPage(second, place(PLACES.turned));
  const last = form.createTextField('last');
  last.addToPage(pages[LAST_PAGE]!, place([150, 300, 120, 20]));
  for (const field of [name, iban, remarks, twice, turned, last]) field.setFontSize(11);
  form.updateFieldAppearances(font);
  set(town, {
    Opt: [
      ['B', 'Berlin'],
      ['P', 'Paris'],
    ].map((pair) => pair.map(text)),
  });
  set(colour, { Opt: [['r', 'Red'].map(text)] });
  set(languages, { Opt: ['English', 'French, spoken', 'German'].map(text) });
  const signature = document.context.register(
    document.context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: text('signature'),
      F: 4,
      Rect: [350, 560, 500, 600],
      P: first.ref,
    } as never),
  );
  form.acroForm.addField(signature);
  first.node.lookup(PDFName.of('Annots'), PDFArray).push(signature);
  return document.save({ updateFieldAppearances: false });
}

/** A document whose form is XFA alone. */
export async function xfaDocument(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([300, 200]);
  const xfa = document.context.register(
    document.context.stream('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template/></xdp:xdp>'),
  );
  document.catalog.set(PDFName.of('AcroForm'), document.context.obj({ Fields: [], XFA: xfa }));
  return document.save();
}

/** A form whose field `locked` a signature locks; `open` can be changed. */
export async function lockedDocument(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const page = document.addPage([300, 400]);
  const text = (value: string): PDFHexString => PDFHexString.fromText(value);
  const lock = { Type: 'SigFieldLock', Action: 'Include', Fields: [text('locked')] };
  const fields = [
    { FT: 'Tx', T: text('locked'), V: text('agreed'), Rect: [20, 350, 120, 370] },
    { FT: 'Tx', T: text('open'), Rect: [20, 300, 120, 320] },
    {
      FT: 'Sig',
      T: text('approval'),
      V: { Type: 'Sig', ByteRange: [0, 1, 2, 3] },
      Lock: lock,
      Rect: [20, 250, 120, 270],
    },
  ].map((field) => context.register(context.obj({ Type: 'Annot', Subtype: 'Widget', F: 4, ...field } as never)));
  page.node.set(PDFName.of('Annots'), context.obj(fields));
  document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: fields }));
  return document.save({ updateFieldAppearances: false });
}
