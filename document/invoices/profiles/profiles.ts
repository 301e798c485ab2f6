/** What an invoice can claim to be, by its specification identifier (BT-24). */
export type ProfileId =
  | 'minimum'
  | 'basic-wl'
  | 'basic'
  | 'en16931'
  | 'extended'
  | 'xrechnung'
  | 'xrechnung-extension'
  | 'xrechnung-cvd'
  | 'peppol'
  | 'zugferd1-basic'
  | 'zugferd1-comfort'
  | 'zugferd1-extended';

export interface Profile {
  readonly id: ProfileId;
  readonly title: string;
  /** Whose specification: Factur-X and ZUGFeRD 2 are one text under two names. */
  readonly standard: 'factur-x' | 'zugferd1' | 'en16931' | 'xrechnung' | 'peppol';
  /** The identifier that is written today. */
  readonly specification: string;
  /** Matches the identifiers of this profile, those of older versions included. */
  readonly matches: RegExp;
  /** The rules of EN 16931 apply: MINIMUM and BASIC WL have no lines, ZUGFeRD 1 is older than the standard. */
  readonly isEn16931: boolean;
  /** The file name in a PDF that is written today; absent: not for PDFs. */
  readonly attachment?: string;
  /** `ConformanceLevel` of the XMP. */
  readonly xmpLevel?: string;
}

const cii = 'factur-x.xml';
const cen = 'urn:cen.eu:en16931:2017';
const kosit = `${cen}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;

/** In the order of what they can hold. */
export const profiles: readonly Profile[] = [
  {
    id: 'minimum',
    title: 'Factur-X MINIMUM',
    standard: 'factur-x',
    specification: 'urn:factur-x.eu:1p0:minimum',
    matches: /^urn:(?:factur-x\.eu:1p0|zugferd\.de:2p[01]):minimum$/,
    isEn16931: false,
    attachment: cii,
    xmpLevel: 'MINIMUM',
  },
  {
    id: 'basic-wl',
    title: 'Factur-X BASIC WL',
    standard: 'factur-x',
    specification: 'urn:factur-x.eu:1p0:basicwl',
    matches: /^urn:(?:factur-x\.eu:1p0|zugferd\.de:2p[01]):basicwl$/,
    isEn16931: false,
    attachment: cii,
    xmpLevel: 'BASIC WL',
  },
  {
    id: 'basic',
    title: 'Factur-X BASIC',
    standard: 'factur-x',
    specification: `${cen}#compliant#urn:factur-x.eu:1p0:basic`,
    matches:
      /^urn:cen\.eu:en16931:2017(?:#compliant#|:compliant:)(?:urn:)?(?:factur-x\.eu:1p0|zugferd\.de:2p[01]):basic$/,
    isEn16931: true,
    attachment: cii,
    xmpLevel: 'BASIC',
  },
  {
    id: 'en16931',
    title: 'EN 16931',
    standard: 'en16931',
    specification: cen,
    matches: /^urn:cen\.eu:en16931:2017$/,
    isEn16931: true,
    attachment: cii,
    xmpLevel: 'EN 16931',
  },
  {
    id: 'extended',
    title: 'Factur-X EXTENDED',
    standard: 'factur-x',
    specification: `${cen}#conformant#urn:factur-x.eu:1p0:extended`,
    matches:
      /^urn:cen\.eu:en16931:2017(?:#conformant#|:(?:conformant|compliant):)(?:urn:)?(?:factur-x\.eu:1p0|zugferd\.de:2p[01]):extended$/,
    isEn16931: true,
    attachment: cii,
    xmpLevel: 'EXTENDED',
  },
  {
    id: 'xrechnung',
    title: 'XRechnung',
    standard: 'xrechnung',
    specification: kosit,
    matches:
      /^urn:cen\.eu:en16931:2017#compliant#urn:(?:xeinkauf\.de:kosit:xrechnung_\d+\.\d+|xoev-de:kosit:standard:xrechnung_\d+\.\d+)$/,
    isEn16931: true,
    attachment: 'xrechnung.xml',
    xmpLevel: 'XRECHNUNG',
  },
  {
    id: 'xrechnung-extension',
    title: 'XRechnung Extension',
    standard: 'xrechnung',
    specification: `${kosit}#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0`,
    matches: /#conformant#urn:(?:xeinkauf\.de|xoev-de):kosit:extension:xrechnung_\d+\.\d+$/,
    isEn16931: true,
  },
  {
    id: 'xrechnung-cvd',
    title: 'XRechnung CVD',
    standard: 'xrechnung',
    specification: `${kosit}#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9`,
    matches: /:cvd_\d+\.\d+$/,
    isEn16931: true,
  },
  {
    id: 'peppol',
    title: 'Peppol BIS Billing',
    standard: 'peppol',
    specification: `${cen}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    matches: /#compliant#urn:fdc:peppol\.eu:2017:poacc:billing:\d+\.\d+/,
    isEn16931: true,
  },
  ...(['basic', 'comfort', 'extended'] as const).map((level): Profile => ({
    id: `zugferd1-${level}`,
    title: `ZUGFeRD 1.0 ${level.toUpperCase()}`,
    standard: 'zugferd1',
    specification: `urn:ferd:CrossIndustryDocument:invoice:1p0:${level}`,
    // Drafts wrote `invoice:rc`, some programs `order`, and COMFORT with a K.
    matches: new RegExp(
      `^urn:ferd:(?:invoice:rc|CrossIndustryDocument:(?:invoice|order):1p0):${level.replace(/^c/, '[ck]')}$`,
      'i',
    ),
    isEn16931: false,
    attachment: 'ZUGFeRD-invoice.xml',
    xmpLevel: level.toUpperCase(),
  })),
];

/** The profile that a specification identifier names; undefined for one that is not known. */
export function profileOf(specification: string | undefined): Profile | undefined {
  const text = specification?.trim() ?? '';
  return profiles.find(({ matches }) => matches.test(text));
}

/** The profile with this id. */
export function profileById(id: ProfileId): Profile {
  const found = profiles.find((profile) => profile.id === id);
  if (found === undefined) throw new RangeError(`no profile ${id}`);
  return found;
}
