import { signal } from '@preact/signals';
import type { Invoice } from '@quire/document/invoices/model';
import type { Path } from '../data/places.ts';

/** The texts of an invoice that is written, by their places: `lines.0.item.name`; of an identifier `….value`. */
export type Texts = Readonly<Record<Path, string>>;

/** Computed by the server, or given by the choice of the format: not taken over from another invoice. */
const COMPUTED =
  /^(?:totals\.(?!paid$|rounding$)|vatBreakdown\.\d+\.(?:taxableAmount|taxAmount)$|lines\.\d+\.netAmount$|process\.specification$)/;

/** What a new invoice begins with: today, and what most invoices have. */
function beginning(): Texts {
  const today = new Date();
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  return {
    issueDate: `${today.getFullYear()}-${twoDigits(today.getMonth() + 1)}-${twoDigits(today.getDate())}`,
    typeCode: '380',
    currency: 'EUR',
    'payment.meansCode': '58',
    ...newLine(0),
  };
}

function newLine(at: number): Texts {
  return {
    [`lines.${at}.id`]: String(at + 1),
    [`lines.${at}.quantity`]: '1',
    [`lines.${at}.unit`]: 'H87',
    [`lines.${at}.vat.category`]: 'S',
  };
}

/** The invoice that is written. It stays while other screens are shown. */
class InvoiceDraft {
  readonly texts = signal<Texts>(beginning());
  /** Faults of the server by place. */
  readonly faults = signal<Texts>({});
  /** Whether something was entered that is not in a file yet. */
  readonly edited = signal(false);

  set(path: Path, text: string): void {
    this.texts.value = { ...this.texts.value, [path]: text };
    const { [path]: _, ...others } = this.faults.value;
    this.faults.value = others;
    this.edited.value = true;
  }

  addLine(): void {
    const at = this.lineCount;
    // What most lines share with the one before.
    const shared = ['unit', 'vat.category', 'vat.rate'].flatMap((key) => {
      const text = this.texts.value[`lines.${at - 1}.${key}`];
      return text === undefined ? [] : [[`lines.${at}.${key}`, text] as const];
    });
    this.texts.value = { ...this.texts.value, ...newLine(at), ...Object.fromEntries(shared) };
    this.edited.value = true;
  }

  removeLine(at: number): void {
    const moved = Object.entries(this.texts.value).flatMap(([path, text]) => {
      const [, number = '-1', rest = ''] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? [];
      const line = Number(number);
      if (line < at) return [[path, text] as const];
      // Lines that were counted are counted again.
      const isCount = rest === 'id' && text === String(line + 1);
      return line === at ? [] : [[`lines.${line - 1}.${rest}`, isCount ? String(line) : text] as const];
    });
    this.texts.value = Object.fromEntries(moved);
    this.faults.value = {};
    this.edited.value = true;
  }

  get lineCount(): number {
    const numbers = Object.keys(this.texts.value).map((path) => Number(/^lines\.(\d+)\./.exec(path)?.[1] ?? -1));
    return Math.max(-1, ...numbers) + 1;
  }

  reset(texts: Texts = beginning()): void {
    this.texts.value = texts;
    this.faults.value = {};
    this.edited.value = false;
  }

  /** Begins with the data of another invoice, but its number, dates, and what is computed. */
  startFrom(invoice: Invoice): void {
    const { number: _, issueDate: __, dueDate: ___, ...kept } = flatten(invoice);
    const given = Object.entries(kept).filter(([path]) => !COMPUTED.test(path));
    const { issueDate = '' } = beginning();
    this.reset({ issueDate, ...Object.fromEntries(given) });
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

/** The invoice as JSON of the semantic model: empty texts are left out, and groups that hold nothing else. */
export function invoiceOf(texts: Texts): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  const filled = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  for (const [path, text] of filled.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
    const keys = path.split('.');
    let holder: Record<string, unknown> | unknown[] = root;
    for (const [i, key] of keys.slice(0, -1).entries()) {
      const isList = /^\d+$/.test(keys[i + 1] ?? '');
      const members = holder as Record<string, unknown>;
      const found = members[key] ?? (isList ? [] : {});
      members[key] = found;
      holder = found as Record<string, unknown>;
    }
    (holder as Record<string, unknown>)[keys.at(-1) ?? ''] = text.trim();
  }
  return root;
}
