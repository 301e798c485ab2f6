import { xmlCharacters } from '../../../file/xml/index.js';
import type { BinaryObject, SchemedIdentifier } from '../../model/index.js';
import type { CompiledGroup, CompiledTerm } from '../bindings/binding.js';
import { meets, resolved, type Variables } from '../bindings/find.js';
import type { Path, Step } from '../bindings/path.js';
import { DAY_FORMAT, writeDay } from '../reading/dates.js';
import { namespaceOf, XmlElement } from '../xml/index.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Creates the elements of groups and terms by the bindings that read them; their order is set afterwards. Characters
 * that XML cannot hold are removed.
 */
export class GroupWriter {
  /** Terms that stand alike in several elements wait until these elements exist. */
  readonly #inAll: (() => void)[] = [];
  /** The element that was created last for a step, and its number. */
  readonly #latest = new Map<Step, { readonly element: XmlElement; readonly index: number }>();

  constructor(
    private readonly variables: Variables,
    /** UBL names the currency of every amount. */
    private readonly amountsHaveCurrency: boolean,
  ) {}

  write(binding: CompiledGroup, values: object, root: XmlElement): void {
    this.#members(binding, values as Values, root);
    for (const run of this.#inAll.splice(0)) run();
  }

  #members(binding: CompiledGroup, values: Values, element: XmlElement): void {
    for (const member of binding.members.values()) {
      const value = values[member.key];
      if (value === undefined) continue;
      const each = member.many ? (value as readonly unknown[]) : [value];
      for (const [index, one] of each.entries())
        if (member.node === 'group') this.#group(member, one as Values, { element, index });
        else this.#term(member, one, { element, index: index + taken(member, binding, values) });
    }
  }

  #group(binding: CompiledGroup, values: Values, { element, index }: Target): void {
    const own = this.#place(binding.path, element, index + binding.after);
    if (binding.text !== undefined) own.text = xmlCharacters(binding.text.write(values));
    else this.#members(binding, values, own);
  }

  #term(binding: CompiledTerm, value: unknown, { element, index }: Target): void {
    const { text, scheme } = textOf(value);
    const path = binding.paths[binding.place.choose?.(text, scheme) ?? 0];
    if (path === undefined) return;
    const set = (place: XmlElement): void => this.#set(binding, path, place, value);
    if (!binding.inAll) return set(this.#place(path, element, index));
    this.#inAll.push(() => {
      for (const place of this.#placesInAll(path, element)) set(place);
    });
  }

  /** Sets the value at the end of its path, with scheme, format and currency. */
  #set(binding: CompiledTerm, path: Path, place: XmlElement, value: unknown): void {
    const { text, scheme, schemeVersion } = textOf(value);
    const { type } = binding.term;
    const isDay = type === 'date' && place.qname.endsWith('String');
    const written = xmlCharacters(isDay ? writeDay(text) : (binding.place.write?.(text) ?? text));
    if (path.attribute !== undefined) return setAttribute(place, path.attribute, written);
    place.text = written;
    if (isDay) setAttribute(place, 'format', DAY_FORMAT);
    if (this.amountsHaveCurrency && (type === 'amount' || type === 'price')) this.#setCurrency(place);
    if (scheme !== undefined) this.#setAt(binding.scheme, place, scheme);
    if (schemeVersion !== undefined && binding.schemeVersion !== undefined)
      this.#setAt(binding.schemeVersion, place, schemeVersion);
    if (type === 'binary') {
      const { mimeCode, filename } = value as BinaryObject;
      if (mimeCode !== undefined) setAttribute(place, 'mimeCode', mimeCode);
      if (filename !== undefined) setAttribute(place, 'filename', filename);
    }
  }

  #setCurrency(place: XmlElement): void {
    const { currency } = this.variables;
    if (currency !== undefined && !place.attributes.has('currencyID')) setAttribute(place, 'currencyID', currency);
  }

  #setAt(path: Path, from: XmlElement, value: string): void {
    const place = this.#place(path, from, 0);
    if (path.attribute === undefined) place.text = xmlCharacters(value);
    else setAttribute(place, path.attribute, value);
  }

  /** The element at the end of the path, created where it is missing. `index` counts at the repeated step. */
  #place(path: Path, from: XmlElement, index: number): XmlElement {
    let element = from;
    for (const [position, step] of path.steps.entries())
      element = this.#claim(step, element, position === path.repeated ? index : 0);
    return element;
  }

  /** The elements at the end of the path, one for each that matches its step `*`. */
  #placesInAll(path: Path, from: XmlElement): readonly XmlElement[] {
    const all = path.steps.findIndex(({ inAll }) => inAll);
    const parent = this.#place({ ...path, steps: path.steps.slice(0, all), repeated: -1 }, from, 0);
    const step = path.steps[all];
    if (step === undefined) return [parent];
    this.#claim(step, parent, 0);
    const rest = { ...path, steps: path.steps.slice(all + 1), repeated: -1 };
    const meeting = parent.children.filter((child) => child.qname === step.qname && meets(child, step, this.variables));
    return meeting.slice(0, step.onlyFirst ? 1 : undefined).map((child) => this.#place(rest, child, 0));
  }

  /** The child number `index` of those that match the step, or a new one. */
  #claim(step: Step, parent: XmlElement, index: number): XmlElement {
    if (step.qname === '..') return parent.parent ?? parent;
    const found = this.#existing(step, parent, index);
    if (found !== undefined) return found;
    const created = createElement(step.qname, parent);
    for (const test of step.tests) if (test.kind === 'is') this.#setConstant(test.path, created, test.values);
    for (const { path, values } of step.constants) this.#setConstant(path, created, values);
    this.#latest.set(step, { element: created, index });
    return created;
  }

  #existing(step: Step, parent: XmlElement, index: number): XmlElement | undefined {
    const latest = this.#latest.get(step);
    // Nothing follows the one before, so there is no need to count ten thousand lines for each line.
    if (latest !== undefined && latest.index === index - 1 && latest.element === parent.children.at(-1))
      return undefined;
    let count = 0;
    for (const child of parent.children)
      if (child.qname === step.qname && meets(child, step, this.variables) && count++ === index) return child;
    return undefined;
  }

  #setConstant(path: Path, from: XmlElement, [value = '']: readonly string[]): void {
    const text = resolved(value, this.variables);
    if (text !== undefined) this.#setAt(path, from, text);
  }
}

/** How many elements of a term another term of the group has written (`besides`): none or one. */
function taken({ place, paths }: CompiledTerm, group: CompiledGroup, values: Values): number {
  const other = place.besides === undefined ? undefined : group.members.get(place.besides);
  const value = place.besides === undefined ? undefined : values[place.besides];
  if (other?.node !== 'term' || value === undefined) return 0;
  const { text, scheme } = textOf(value);
  const written = other.paths[other.place.choose?.(text, scheme) ?? 0];
  return written?.steps.at(-1)?.qname === paths[0]?.steps.at(-1)?.qname ? 1 : 0;
}

interface Target {
  readonly element: XmlElement;
  readonly index: number;
}

/** Creates an element and appends it to its parent. */
export function createElement(qname: string, parent: XmlElement | undefined): XmlElement {
  const [prefix = '', name = ''] = qname.split(':');
  const element = new XmlElement(name, namespaceOf(prefix), prefix, qname, 0, parent);
  parent?.append(element);
  return element;
}

function setAttribute(element: XmlElement, name: string, value: string): void {
  element.attributes = new Map(element.attributes).set(name, xmlCharacters(value));
}

function textOf(value: unknown): Partial<SchemedIdentifier> & { readonly text: string } {
  if (typeof value === 'string') return { text: value };
  if ('content' in (value as object)) return { text: (value as BinaryObject).content };
  const identifier = value as SchemedIdentifier;
  return { ...identifier, text: identifier.value };
}
