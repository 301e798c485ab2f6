import { computed, signal } from '@preact/signals';
import type { Invoice } from '@quire/document/invoices/model';
import { nodeAt, type Path } from '../data/places.ts';
import { isComputed } from './layout.ts';
import { outlineOf, withoutItem, type Texts } from './outline.ts';

/** What belongs to one invoice only, beside what is computed: not taken over from another invoice. */
const OWN: ReadonlySet<Path> = new Set(['number', 'issueDate', 'dueDate', 'totals.vatInAccountingCurrency']);

/** What a new invoice begins with: today, and what most invoices have. */
function beginning(): Texts {
  const today = new Date();
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  return {
    issueDate: `${today.getFullYear()}-${twoDigits(today.getMonth() + 1)}-${twoDigits(today.getDate())}`,
    typeCode: '380',
    currency: 'EUR',
    'payment.meansCode': '58',
    ...newItem('notes', 0, {}),
    ...newItem('payment.transfers', 0, {}),
    ...newItem('lines', 0, {}),
  };
}

/** What a new item of a list begins with. Allowances and charges have the VAT of the first line, as most do. */
function newItem(list: Path, at: number, texts: Texts): Texts {
  const texted = (shared: Readonly<Record<string, string>>): Texts =>
    Object.fromEntries(Object.entries(shared).map(([key, text]) => [`${list}.${at}.${key}`, text]));
  if (list === 'lines')
    return texted({ id: String(at + 1), quantity: '1', unit: 'H87', 'vat.category': 'S', ...sharedOf(texts, at - 1) });
  if (list === 'allowances' || list === 'charges')
    return texted({
      amount: '',
      vatCategory: texts['lines.0.vat.category'] ?? 'S',
      vatRate: texts['lines.0.vat.rate'] ?? '',
    });
  const node = nodeAt(list);
  return texted({ [node?.node === 'group' ? (Object.keys(node.terms)[0] ?? '') : 'value']: '' });
}

/** What most lines share with the one before. */
function sharedOf(texts: Texts, before: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['unit', 'vat.category', 'vat.rate'].flatMap((key) => {
      const text = texts[`lines.${before}.${key}`];
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

/** The invoice that is written. It stays while other screens are shown. */
class InvoiceDraft {
  readonly texts = signal<Texts>(beginning());
  readonly outline = computed(() => outlineOf(this.texts.value));
  /** Faults of the server by place. */
  readonly faults = signal<Texts>({});
  /** Whether something was entered that is not in a file yet. */
  readonly edited = signal(false);

  set(path: Path, text: string): void {
    this.enter({ [path]: text });
  }

  /** Several texts at once, such as those of a file. */
  enter(texts: Texts): void {
    this.texts.value = { ...this.texts.value, ...texts };
    this.faults.value = Object.fromEntries(Object.entries(this.faults.value).filter(([path]) => !(path in texts)));
    this.edited.value = true;
  }

  countOf(list: Path): number {
    return this.outline.value.counts.get(list) ?? 0;
  }

  addItem(list: Path): void {
    this.texts.value = { ...this.texts.value, ...newItem(list, this.countOf(list), this.texts.value) };
    this.edited.value = true;
  }

  removeItem(list: Path, at: number): void {
    this.texts.value = withoutItem(this.texts.value, list, at);
    this.faults.value = {};
    this.edited.value = true;
  }

  reset(texts: Texts = beginning()): void {
    this.texts.value = texts;
    this.faults.value = {};
    this.edited.value = false;
  }

  /** Begins with the data of another invoice, but its number, dates, and what is computed. */
  startFrom(invoice: Invoice): void {
    const given = Object.entries(flatten(invoice)).filter(([path]) => !OWN.has(path) && !isComputed(path));
    const { issueDate = '', ...others } = beginning();
    const empty = Object.entries(others).filter(([, text]) => text === '');
    this.reset({ issueDate, ...Object.fromEntries(empty), ...Object.fromEntries(given) });
    this.edited.value = true;
  }
}

export const draft = new InvoiceDraft();

function flatten(value: unknown, path: Path = ''): Texts {
  if (typeof value === 'string') return { [path]: value };
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, each]) => flatten(each, path === '' ? key : `${path}.${key}`)),
  ) as Texts;
}
