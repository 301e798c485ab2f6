import type { Group, Invoice } from '../../model/index.js';
import { invoiceModel } from '../../model/index.js';
import type { ProfileId } from '../../profiles/index.js';

/** All that MINIMUM can hold (Factur-X 1.0.8, schema and schematron of MINIMUM). */
const MINIMUM = new Set(
  (
    'BG-0 BG-2 BG-4 BG-5 BG-7 BG-22 ' +
    'BT-1 BT-2 BT-3 BT-5 BT-10 BT-13 BT-23 BT-24 BT-27 BT-30 BT-31 BT-32 BT-40 BT-44 BT-47 ' +
    'BT-109 BT-110 BT-112 BT-115'
  ).split(' '),
);

/** What BASIC cannot hold (Factur-X 1.0.8, schema and schematron of BASIC). */
const NOT_IN_BASIC = new Set(
  (
    'BG-6 BG-9 BG-18 BG-24 BG-32 ' +
    'BT-7 BT-11 BT-14 BT-15 BT-17 BT-18 BT-33 BT-45 BT-82 BT-85 BT-86 BT-114 ' +
    'BT-128 BT-132 BT-133 BT-137 BT-138 BT-142 BT-143 BT-154 BT-155 BT-156 BT-158 BT-159'
  ).split(' '),
);

/** Terms that only the extension of XRechnung knows. */
const isExtension = (id: string): boolean => id.startsWith('BG-DEX') || id.startsWith('BT-DEX');

/** What only Factur-X EXTENDED has: its own fields, and elements that it repeats. */
const ONLY_EXTENDED = /^B[GT]-X-|^BT-\d+-00$|^BT-(?:41-0|56-0|46-0|186)$/;

/** Whether an invoice of this profile can hold the term or group. */
export function canHold(profile: ProfileId, id: string): boolean {
  if (ONLY_EXTENDED.test(id)) return profile === 'extended';
  if (isExtension(id)) return profile === 'xrechnung-extension';
  if (profile === 'minimum') return MINIMUM.has(id);
  if (profile === 'basic') return !NOT_IN_BASIC.has(id);
  if (profile === 'basic-wl') return !NOT_IN_BASIC.has(id) && id !== 'BG-25';
  return true;
}

type Values = Readonly<Record<string, unknown>>;

/** The invoice without what the profile cannot hold. */
export function limitTo(profile: ProfileId, invoice: Invoice): Invoice {
  return limitGroup(profile, invoiceModel, invoice as Values);
}

function limitGroup(profile: ProfileId, group: Group, values: Values): Values {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const entry = group.terms[key];
    if (value === undefined || (entry !== undefined && !canHold(profile, entry.id))) continue;
    const limited = entry?.node === 'group' ? limitMember(profile, entry, value) : value;
    if (limited !== undefined) kept[key] = limited;
  }
  return kept;
}

/** A group that loses all its terms is left out. */
function limitMember(profile: ProfileId, group: Group, value: unknown): unknown {
  const limit = (one: unknown): Values | undefined => {
    const limited = limitGroup(profile, group, one as Values);
    return Object.keys(limited).length === 0 && Object.keys(one as Values).length > 0 ? undefined : limited;
  };
  if (!Array.isArray(value)) return limit(value);
  const limited = value.map(limit).filter((one) => one !== undefined);
  return limited.length === 0 ? undefined : limited;
}
