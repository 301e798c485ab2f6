import { type Group, invoiceModel, type Term, type TermType } from '@quire/document/invoices/model';
import type { JoiRoot } from '@quire/registry';
import { exampleOf } from './invoice-examples.js';

type Schema = ReturnType<JoiRoot['any']>;
type ObjectSchema = ReturnType<JoiRoot['object']>;

/** A line and a sub line have this id, because a sub line can have sub lines. */
const LINE_ID = 'InvoiceLine';

/** Decimal texts: what is not a number stays readable in an extract, and is refused by the rules. */
const typeNotes: Readonly<Partial<Record<TermType, string>>> = {
  date: 'A date, `YYYY-MM-DD`.',
  amount: 'An amount as decimal text.',
  price: 'A price as decimal text.',
  quantity: 'A quantity as decimal text.',
  percentage: 'A percentage as decimal text: `19` is 19 %.',
};

/**
 * The schema of an invoice as JSON: the business terms of EN 16931 under their names in the model. Every member is
 * optional, because an invoice that is read can lack it; members that the model does not know are refused.
 */
export function invoiceSchema(joi: JoiRoot): ObjectSchema {
  return groupSchema(joi, invoiceModel).label('Invoice').description('An invoice, by the terms of EN 16931');
}

function groupSchema(joi: JoiRoot, group: Group): ObjectSchema {
  const members = Object.entries(group.terms).map(([key, entry]) => {
    const schema = entry.node === 'term' ? termSchema(joi, entry) : memberSchema(joi, key, entry);
    return [key, entry.occurs.endsWith('n') ? joi.array().items(schema) : schema] as const;
  });
  const described = members.map(([key, schema]) => {
    const entry = group.terms[key];
    return [key, entry === undefined ? schema : schema.description(describe(entry))] as const;
  });
  return joi.object(Object.fromEntries(described)).unknown(false);
}

function memberSchema(joi: JoiRoot, key: string, group: Group): Schema {
  if (key === 'subLines') return joi.link(`#${LINE_ID}`);
  const schema = groupSchema(joi, group);
  return group.id === 'BG-25' ? schema.id(LINE_ID).label(LINE_ID) : schema.label(labelOf(group));
}

function termSchema(joi: JoiRoot, term: Term): Schema {
  const text = joi.string().allow('');
  if (term.type === 'schemed')
    return (
      joi
        .object({
          value: text.required().description('The identifier'),
          scheme: text.description('Code of the scheme, such as `0088` for a GLN'),
          schemeVersion: text.description('Version of the scheme, for classifications'),
        })
        .unknown(false)
        // Each describes its own term, so each is a shape of its own.
        .label(labelOf(term))
    );
  if (term.type === 'binary')
    return joi
      .object({
        content: text.required().description('The file in base64'),
        mimeCode: text.description('Media type, such as `application/pdf`'),
        filename: text.description('Name of the file'),
      })
      .unknown(false)
      .label('AttachedFile');
  const example = exampleOf(term);
  return example === undefined ? text : text.example(example);
}

function describe({ id, name, node, ...entry }: Term | Group): string {
  const note = node === 'term' ? typeNotes[(entry as Term).type] : undefined;
  return note === undefined ? `${name} (${id})` : `${name} (${id}). ${note}`;
}

/** `Seller postal address` as `SellerPostalAddress`. */
function labelOf({ name }: { readonly name: string }): string {
  return name.replaceAll(/[^A-Za-z]+([A-Za-z])/g, (_all, letter: string) => letter.toUpperCase());
}
