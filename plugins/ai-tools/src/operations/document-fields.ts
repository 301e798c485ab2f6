import type { JoiRoot } from '@quire/registry';

/** Bounds of a document that people read. */
const MOST = { sections: 1000, rows: 10_000, columns: 40, items: 5000, signatories: 100 } as const;

/** The shape of a `DocumentModel` as callers send it. */
export function documentSchema(joi: JoiRoot) {
  const text = joi.string().allow('', null);
  const cell = joi.alternatives(joi.string().allow(''), joi.number().unsafe(), joi.boolean(), joi.valid(null));
  const cells = joi.array().items(cell).max(MOST.columns).allow(null);
  const signatory = joi.alternatives(
    joi.string(),
    joi.object({ name: text, title: text, organisation: text, date: text }),
  );
  const section = joi.object({
    type: text,
    heading: text,
    body: text,
    columns: cells,
    totalRow: cells,
    pairs: joi.array().items(joi.array().items(cell).min(1).max(2)).max(MOST.rows).allow(null),
    rows: joi.array().items(joi.array().items(cell).max(MOST.columns)).max(MOST.rows).allow(null),
    items: joi.array().items(cell).max(MOST.items).allow(null),
    signatories: joi.array().items(signatory).max(MOST.signatories).allow(null),
  });
  return joi.object({
    title: text,
    subtitle: text,
    referenceNumber: joi.alternatives(text, joi.number().unsafe()),
    style: styleSchema(joi),
    sections: joi.array().items(section).max(MOST.sections).allow(null),
  });
}

/** Colours of a document. */
export function styleSchema(joi: JoiRoot) {
  const colour = joi
    .string()
    .pattern(/^\s*#[0-9a-fA-F]{6}\s*$/)
    .allow('', null)
    .messages({ 'string.pattern.base': 'must be a colour as #RRGGBB' });
  return joi
    .object({ primaryColor: colour, backgroundColor: colour, bodyTextColor: colour })
    .allow(null)
    .description('Colours as #RRGGBB');
}
