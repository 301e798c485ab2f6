import type { CompiledGroup, CompiledTerm } from '../bindings/binding.js';
import { find, hasAny, type OnStep, type Variables, valueAt } from '../bindings/find.js';
import type { Path } from '../bindings/path.js';
import type { XmlElement } from '../xml/index.js';
import { DAY_FORMAT, readDay, withoutZone } from './dates.js';

/** Notes what the bindings read, so that the rest of the document can be listed. */
export interface ReadMarks {
  /** The text of the element, or its attribute, is a value in the model. */
  readonly value: (element: XmlElement, attribute?: string) => void;
  readonly step: OnStep;
}

/** A group object of the invoice and where it was read. */
export interface Holder {
  readonly binding: CompiledGroup;
  /** From here the paths of its terms begin. */
  readonly element: XmlElement;
}

/** Reads groups by the bindings of one syntax. */
export class GroupReader {
  readonly holders = new WeakMap<object, Holder>();

  constructor(
    private readonly variables: Variables,
    private readonly marks?: ReadMarks,
  ) {}

  read(binding: CompiledGroup, element: XmlElement): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    this.holders.set(result, { binding, element });
    if (binding.text !== undefined) {
      this.marks?.value(element);
      return Object.assign(result, binding.text.read(element.text));
    }
    for (const member of binding.members.values()) {
      const value = member.node === 'term' ? this.#terms(member, element, binding) : this.#groups(member, element);
      if (value !== undefined) result[member.key] = value;
    }
    return result;
  }

  #groups(binding: CompiledGroup, element: XmlElement): unknown {
    if (binding.isVirtual) return this.#virtualGroup(binding, element);
    const found = this.#find(binding.path, element, !binding.many).slice(binding.after);
    if (!binding.many) return found[0] === undefined ? undefined : this.read(binding, found[0]);
    return found.length === 0 ? undefined : found.map((each) => this.read(binding, each));
  }

  #virtualGroup(binding: CompiledGroup, element: XmlElement): unknown {
    const group = this.read(binding, element);
    const exists = binding.exists !== undefined && hasAny(binding.exists, element, this.variables);
    return exists || Object.keys(group).length > 0 ? group : undefined;
  }

  #terms(binding: CompiledTerm, element: XmlElement, group: CompiledGroup): unknown {
    if (binding.many) {
      const taken = this.#takenBy(binding.place.besides, element, group);
      const values = binding.paths.flatMap((path) =>
        this.#find(path, element, false)
          .filter((place) => place !== taken)
          .map((place) => this.#value(binding, path, place)),
      );
      return values.length === 0 ? undefined : values;
    }
    for (const path of binding.paths) {
      const [place] = this.#find(path, element, true);
      if (place === undefined) continue;
      const value = this.#value(binding, path, place);
      if (this.marks !== undefined) this.#markRepetitions(binding, element, value);
      return value;
    }
    return undefined;
  }

  /** The element that another term of the group has. */
  #takenBy(key: string | undefined, element: XmlElement, group: CompiledGroup): XmlElement | undefined {
    const other = key === undefined ? undefined : group.members.get(key);
    if (other?.node !== 'term') return undefined;
    for (const path of other.paths) {
      const [place] = find(path, element, this.variables, { first: true });
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #find(path: Path, element: XmlElement, first: boolean): XmlElement[] {
    return find(
      path,
      element,
      this.variables,
      this.marks === undefined ? { first } : { first, onStep: this.marks.step },
    );
  }

  #value(binding: CompiledTerm, path: Path, place: XmlElement): unknown {
    this.marks?.value(place, path.attribute);
    const text = valueAt(place, path);
    switch (binding.term.type) {
      case 'schemed':
        return this.#schemed(binding, place, text);
      case 'binary':
        return this.#binary(place, text);
      case 'date':
        if (place.namespace.startsWith('urn:oasis:')) return withoutZone(text);
        this.#markFormat(place);
        return readDay(text, place.attributes.get('format'));
      default:
        return binding.place.read === undefined ? text : binding.place.read(text);
    }
  }

  #schemed(binding: CompiledTerm, place: XmlElement, value: string): unknown {
    const scheme = this.#optional(binding.scheme, place);
    const version = binding.schemeVersion === undefined ? undefined : this.#optional(binding.schemeVersion, place);
    return {
      value,
      ...(scheme === undefined ? {} : { scheme }),
      ...(version === undefined ? {} : { schemeVersion: version }),
    };
  }

  #optional(path: Path, from: XmlElement): string | undefined {
    const [place] = this.#find(path, from, true);
    if (place === undefined) return undefined;
    this.marks?.value(place, path.attribute);
    return valueAt(place, path);
  }

  #binary(place: XmlElement, text: string): unknown {
    const mimeCode = place.attributes.get('mimeCode');
    const filename = place.attributes.get('filename');
    this.marks?.value(place, 'mimeCode');
    this.marks?.value(place, 'filename');
    return {
      content: text.replaceAll(/\s+/g, ''),
      ...(mimeCode === undefined ? {} : { mimeCode }),
      ...(filename === undefined ? {} : { filename }),
    };
  }

  #markFormat(place: XmlElement): void {
    if (place.attributes.get('format') === DAY_FORMAT) this.marks?.value(place, 'format');
  }

  /** The same value in further elements (`step*`) or in further alternatives (`a | b`) is no content of its own. */
  #markRepetitions(binding: CompiledTerm, element: XmlElement, value: unknown): void {
    if (!binding.inAll && binding.paths.length === 1) return;
    const first = JSON.stringify(value);
    const probe = new GroupReader(this.variables);
    for (const path of binding.paths)
      for (const place of find(path, element, this.variables))
        if (JSON.stringify(probe.#value(binding, path, place)) === first) this.#value(binding, path, place);
  }
}
