import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildDocument, exportDocument, readJsonDocument } from '../../../content/editor/index.js';
import { readForm } from '../../../forms/index.js';
import { elements, entry } from '../../../file/objects/index.js';
import { withPdf, writeContext } from '../../../file/open/index.js';
import { acroFormOf } from '../../../forms/fields/index.js';
import { formOf, name, text } from '../../forms/forms-support.js';

interface Field {
  name: string;
  value?: string;
  pageNumber?: number;
  rect?: number[];
}

describe('Fields of a document as JSON', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'quire-editor-fields-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** `person` has a place of its own beside the field `person.name`; `loose` is only on the page. */
  async function odd(): Promise<Uint8Array> {
    const document = await formOf([
      { rect: [50, 250, 150, 270], FT: 'Tx', V: text('Ada') },
      { rect: [50, 200, 150, 220] },
      { rect: [50, 150, 150, 170], FT: 'Tx', V: text('found') },
    ]);
    const { context } = document;
    const form = acroFormOf(context)!;
    const [child, place, loose] = elements(context, form.get(name('Fields'))).map((ref) => ({
      ref,
      dict: context.lookup(ref) as typeof form,
    }));
    const parent = context.register(
      context.obj({ T: text('person'), FT: 'Tx', V: text('both'), Kids: [child!.ref, place!.ref] } as never),
    );
    for (const { dict } of [child!, place!]) dict.set(name('Parent'), parent);
    child!.dict.set(name('T'), text('name'));
    place!.dict.delete(name('T'));
    loose!.dict.set(name('T'), text('loose'));
    form.set(name('Fields'), context.obj([parent]));
    return document.save();
  }

  it('are those that the form has for everybody, those of the pages alone too', async () => {
    const path = join(folder, 'told.json');
    const bytes = await odd();
    const known = await withPdf({ bytes }, {}, async (opened) => {
      await exportDocument(opened, path);
      return readForm(opened)!.fields.map((field) => [field.name, field.values?.[0], field.widgets[0]!.pageIndex + 1]);
    });
    const told = JSON.parse(readFileSync(path, 'utf8')) as { formFields: Field[] };
    expect(told.formFields.map((field) => [field.name, field.value, field.pageNumber])).to.deep.equal(known);
    expect(known).to.deep.equal([
      ['person', 'both', 1],
      ['person.name', 'Ada', 1],
      ['loose', 'found', 1],
    ]);
    for (const field of told.formFields) field.value = `new ${field.name}`;
    const document = await buildDocument(readJsonDocument(Buffer.from(JSON.stringify(told))));
    const target = join(folder, 'made.pdf');
    writeContext(document.context, target);
    await withPdf({ path: target }, {}, (opened) => {
      const { fields } = readForm(opened)!;
      expect(
        fields.map((field) => [
          field.name,
          field.values?.[0],
          field.unlisted,
          field.widgets.every(({ node }) => entry(node.dict, 'AP') !== undefined),
        ]),
      ).to.have.deep.members([
        ['person', 'new person', false, true],
        ['person.name', 'new person.name', false, true],
        ['loose', 'new loose', false, true],
      ]);
    });
  });
});
