import type { Block, Columns, Facts, Heading, Paragraph } from '@quire/document/composition';
import type { Part } from './part.js';

type Column = readonly (Heading | Paragraph | Facts)[];

/** Seller, buyer and, where there are any, payee, tax representative and delivery: two beside each other. */
export function partiesOf(invoice: Part): Block[] {
  const columns = ['seller', 'buyer', 'payee', 'taxRepresentative', 'delivery']
    .flatMap((key) => invoice.parts(key))
    .map(partyColumn)
    .filter((column) => column.length > 1);
  return Array.from({ length: Math.ceil(columns.length / 2) }, (_, i): Columns => {
    return { kind: 'columns', columns: columns.slice(2 * i, 2 * i + 2) };
  });
}

function partyColumn(party: Part): Column {
  const name = party.text('name');
  const address = party.has('address') ? party.part('address') : undefined;
  const lines = address === undefined ? [] : addressLines(address);
  const facts = [...party.rest(), ...(address?.rest() ?? [])];
  return [
    { kind: 'heading', level: 2, text: party.label },
    ...(name === undefined ? [] : [{ kind: 'paragraph', text: name, tone: 'strong' } as const]),
    ...lines.map((text) => ({ kind: 'paragraph', text }) as const),
    ...(facts.length === 0 ? [] : [{ kind: 'facts', facts } as const]),
  ];
}

/** As on an envelope: street, post code and city, country. */
function addressLines(address: Part): string[] {
  const town = [address.text('postCode'), address.text('city')].filter((text) => text !== undefined).join(' ');
  return [
    address.text('line1'),
    address.text('line2'),
    address.text('line3'),
    town === '' ? undefined : town,
    address.text('subdivision'),
    address.text('country'),
  ].filter((text) => text !== undefined);
}
