import { codeList, itemClassificationSchemes } from '../code-lists/index.js';
import { codeRule } from '../code-rule.js';
import type { Facts } from '../facts.js';
import { filled, type Rule, sentence } from '../rule.js';
import { XRECHNUNG_3, xrRule } from './xr-rule.js';

const set = 'xrechnung-cvd';
const CATEGORIES = ['M1', 'M2', 'M3', 'N1', 'N2', 'N3'];
const ATTRIBUTE_VALUES = ['clean', 'zero-emission', 'other'];

type Item = NonNullable<Facts['lines'][number]['item']>;

const items = ({ lines }: Facts): readonly Item[] => lines.flatMap(({ item }) => item ?? []);
const vehicleClasses = (item: Item) => (item.classifications ?? []).filter(({ scheme }) => scheme === 'CVD');
const vehicleAttributes = (item: Item) => (item.attributes ?? []).filter(({ name }) => name === 'cva');

const { title, version, values } = itemClassificationSchemes;
const schemes = codeList(`${title} (with CVD)`, version, `CVD ${[...values].join(' ')}`);

/** BR-DE-CVD-01 to 06, BR-TMP-CVD-01: vehicles of the Clean Vehicles Directive (XRechnung CVD 0.9). */
export const cvdRules: readonly Rule[] = [
  xrRule(
    'BR-DE-CVD-01',
    'BT-12',
    sentence('The reference of the contract is missing.', 'Die Vertragsreferenz fehlt.'),
    ({ invoice }, report) => {
      if (!filled(invoice.contract)) report({ at: [invoice, 'contract'] });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-02',
    'BT-17',
    sentence('The reference of the tender or lot is missing.', 'Die Referenz der Ausschreibung oder des Loses fehlt.'),
    ({ invoice }, report) => {
      if (!filled(invoice.tender)) report({ at: [invoice, 'tender'] });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-03',
    'BT-158 BT-160',
    sentence(
      'No line is classified by the list CVD and has the attribute cva.',
      'Keine Position ist nach der Liste CVD klassifiziert und hat die Eigenschaft cva.',
    ),
    (facts, report) => {
      const found = items(facts).some((item) => vehicleClasses(item).length > 0 && vehicleAttributes(item).length > 0);
      if (!found) report({ at: [facts.invoice] });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-04',
    'BT-158',
    sentence(
      `The category of a vehicle must be one of ${CATEGORIES.join(', ')}.`,
      `Die Klasse eines Fahrzeugs muss eine von ${CATEGORIES.join(', ')} sein.`,
    ),
    (facts, report) => {
      for (const item of items(facts))
        for (const [index, { scheme, value }] of (item.classifications ?? []).entries())
          if (scheme?.trim() === 'CVD' && !CATEGORIES.includes(value.trim()))
            report({ at: [item, 'classifications', index], value });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-05',
    'BT-160 BT-161',
    sentence(
      `The attribute cva must be one of ${ATTRIBUTE_VALUES.join(', ')}.`,
      `Die Eigenschaft cva muss eine von ${ATTRIBUTE_VALUES.join(', ')} sein.`,
    ),
    (facts, report) => {
      for (const attribute of items(facts).flatMap(vehicleAttributes))
        if (!ATTRIBUTE_VALUES.includes(attribute.value?.trim() ?? ''))
          report({ at: [attribute, 'value'], value: attribute.value });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-06-a',
    'BT-158 BT-160',
    sentence(
      'An item with a classification CVD must have exactly one attribute cva.',
      'Ein Artikel mit einer Klassifizierung CVD muss genau eine Eigenschaft cva haben.',
    ),
    (facts, report) => {
      for (const item of items(facts))
        if (vehicleClasses(item).length > 0 && vehicleAttributes(item).length !== 1) report({ at: [item] });
    },
    { set },
  ),
  xrRule(
    'BR-DE-CVD-06-b',
    'BT-158 BT-160',
    sentence(
      'An item with an attribute cva must have exactly one classification CVD.',
      'Ein Artikel mit einer Eigenschaft cva muss genau eine Klassifizierung CVD haben.',
    ),
    (facts, report) => {
      for (const item of items(facts))
        if (vehicleAttributes(item).length > 0 && vehicleClasses(item).length !== 1) report({ at: [item] });
    },
    { set },
  ),
  {
    ...codeRule(
      {
        id: 'BR-TMP-CVD-01',
        terms: 'BT-158',
        en: 'The scheme of a classification of an item',
        de: 'Das Schema einer Klassifizierung eines Artikels',
        places: {
          ubl: { elements: ['cbc:ItemClassificationCode'], attribute: 'listID', always: true, list: schemes },
          cii: { elements: ['ram:ClassCode'], attribute: 'listID', always: true, list: schemes },
        },
      },
      set,
    ),
    since: XRECHNUNG_3,
  },
];
