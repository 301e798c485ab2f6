import { type Group, invoiceModel, type Term } from '../../model/index.js';
import type { Profile } from '../../profiles/index.js';
import { canHold, type XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { type Finding, type Report, sentence } from '../rule.js';

/** These three hold less than EN 16931 does. */
const NARROW = new Set<string>(['minimum', 'basic-wl', 'basic']);

/**
 * What earlier versions held and the present one does not, so that it is not written any more: MINIMUM had whole
 * addresses and the sum of the lines before Factur-X 1.0.06, and the rest until 1.0.07.
 */
const HELD_BEFORE: Readonly<Partial<Record<string, ReadonlySet<string>>>> = {
  minimum: new Set(
    (
      'BT-106 BG-8 BT-35 BT-36 BT-162 BT-37 BT-38 BT-39 BT-50 BT-51 BT-163 BT-52 BT-53 BT-54 BT-55 ' + 'BT-48 BT-111'
    ).split(' '),
  ),
  'basic-wl': new Set(['BT-45']),
  basic: new Set(['BT-45', 'BT-137', 'BT-138', 'BT-142', 'BT-143']),
};

/**
 * Reports terms that the present version of a small profile cannot hold (or, for an older invoice, no version), by
 * their names, and returns their elements with what is in them.
 */
export function contentWithoutPlace(
  { profile, invoice, read }: Facts,
  report: Report,
  isPresent: boolean,
): ReadonlySet<XmlElement> {
  const fits = (profile: Profile, id: string): boolean =>
    canHold(profile.id, id) || (!isPresent && HELD_BEFORE[profile.id]?.has(id) === true);
  const elements = new Set<XmlElement>();
  if (profile === undefined || !NARROW.has(profile.id)) return elements;
  const refuse = (entry: Group | Term, values: object, key: string): void => {
    report(tooMuch(profile, entry, [values, key]));
    const element = read.elementOf(values, key);
    if (element !== undefined) addAll(element, elements);
  };
  const visit = (group: Group, values: Readonly<Record<string, unknown>>): void => {
    for (const [key, value] of Object.entries(values)) {
      const entry = group.terms[key];
      if (entry === undefined || value === undefined) continue;
      if (!fits(profile, entry.id)) refuse(entry, values, key);
      else if (entry.node === 'group')
        for (const one of Array.isArray(value) ? value : [value])
          visit(entry, one as Readonly<Record<string, unknown>>);
    }
  };
  visit(invoiceModel, invoice);
  return elements;
}

function addAll(element: XmlElement, elements: Set<XmlElement>): void {
  elements.add(element);
  for (const child of element.children) addAll(child, elements);
}

function tooMuch({ title }: Profile, { id, name }: Group | Term, at: readonly [object, string]): Finding {
  const message = sentence(
    `${title} has no place for this: ${name} (${id}). The invoice needs a profile that holds more.`,
    `${title} hat dafür keinen Platz: ${name} (${id}). Die Rechnung braucht ein Profil, das mehr enthält.`,
  );
  return { at, message };
}
