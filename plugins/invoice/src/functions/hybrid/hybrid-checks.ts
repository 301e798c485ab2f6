import type { EmbeddedInvoice, HybridFacts, InvoiceClaim } from '@quire/document/structure/invoices';
import type { Identity } from './identify.js';

/** A comparison of what the XML, the PDF around it, and the XMP metadata say. */
export interface HybridCheck {
  readonly check: CheckName;
  readonly ok: boolean;
  /** `fatal`: receivers will not find or read the invoice, or the file is not what it claims to be. */
  readonly severity: 'fatal' | 'warning';
  readonly found: string | undefined;
  /** What is allowed, in words for people. */
  readonly expected: string;
  readonly message: { readonly en: string; readonly de: string };
}

export const checkNames = [
  'one-invoice',
  'pdfa-3',
  'attachment-name',
  'in-name-tree',
  'associated',
  'relationship',
  'media-type',
  'modification-date',
  'xmp',
  'xmp-schema',
  'xmp-namespace',
  'xmp-document-type',
  'xmp-file-name',
  'xmp-version',
  'xmp-level',
] as const;
export type CheckName = (typeof checkNames)[number];

type Finding = Omit<HybridCheck, 'check' | 'message'> & {
  readonly message: { readonly en: string; readonly de: string };
};
interface Hybrid {
  readonly facts: HybridFacts;
  readonly invoice: EmbeddedInvoice;
  readonly claim: InvoiceClaim | undefined;
  readonly identity: Identity;
}

/** Where the XML and the PDF disagree, the XML decides: every check says what the PDF should say. */
export function hybridChecks(facts: HybridFacts, identity: Identity): readonly HybridCheck[] {
  const [invoice] = facts.invoices;
  if (invoice === undefined) return [];
  const hybrid: Hybrid = { facts, invoice, claim: claimFor(facts.claims, identity), identity };
  return checkNames.flatMap((check) => {
    const finding = checks[check](hybrid);
    return finding === undefined ? [] : [{ check, ...finding }];
  });
}

/** The claim in the namespace of the XML's standard, or else the newest. */
function claimFor(claims: readonly InvoiceClaim[], identity: Identity): InvoiceClaim | undefined {
  const fitting = namespacesOf(identity);
  return claims.find(({ by }) => fitting.includes(by)) ?? claims[0];
}

function namespacesOf({ kind, specification, standard }: Identity): readonly InvoiceClaim['by'][] {
  if (kind === 'zugferd1') return ['zugferd1'];
  if (kind === 'zugferd1-draft') return ['zugferd1-draft', 'zugferd1'];
  if (standard === 'ZUGFeRD 2')
    return specification.includes('zugferd.de:2p0') ? ['zugferd2'] : ['zugferd2', 'factur-x'];
  return ['factur-x'];
}

/** Names that the specifications demand for this XML. */
function namesOf({ kind, profile, specification }: Identity): readonly string[] {
  if (kind === 'zugferd1' || kind === 'zugferd1-draft') return ['ZUGFeRD-invoice.xml'];
  if (profile?.id === 'xrechnung') return ['xrechnung.xml'];
  if (specification.includes('zugferd.de:2p0')) return ['zugferd-invoice.xml'];
  // The identifier of EN 16931 is the same in Factur-X and in ZUGFeRD 2.0.
  return profile?.id === 'en16931' ? ['factur-x.xml', 'zugferd-invoice.xml'] : ['factur-x.xml'];
}

const fine = { en: '', de: '' };

function finding(
  ok: boolean,
  severity: Finding['severity'],
  found: string | null | undefined,
  expected: string,
  message: Finding['message'],
): Finding {
  return { ok, severity, found: found ?? undefined, expected, message: ok ? fine : message };
}

const quoted = (value: string | null | undefined): string => `"${(value ?? '').slice(0, 120)}"`;
const list = (values: readonly string[], or: string): string => values.map(quoted).join(` ${or} `);

const checks: Readonly<Record<CheckName, (hybrid: Hybrid) => Finding | undefined>> = {
  'one-invoice': ({ facts: { invoices } }) =>
    finding(invoices.length === 1, 'fatal', invoices.map(({ filename }) => filename).join(', '), 'one invoice', {
      en: `The PDF carries ${invoices.length} invoices (${invoices.map(({ filename }) => filename).join(', ')}). Receivers may read different ones: keep one.`,
      de: `Das PDF enthält ${invoices.length} Rechnungen (${invoices.map(({ filename }) => filename).join(', ')}). Empfänger lesen womöglich verschiedene: Behalten Sie eine.`,
    }),
  'pdfa-3': ({ facts: { pdfa } }) => {
    const found = pdfa === undefined ? undefined : `PDF/A-${pdfa.part}${pdfa.conformance}`;
    return finding(pdfa?.part === '3', 'fatal', found, 'PDF/A-3', {
      en: `The PDF ${found === undefined ? 'does not claim to be PDF/A' : `claims to be ${found}`}. A hybrid invoice has to be PDF/A-3.`,
      de: `Das PDF ${found === undefined ? 'gibt sich nicht als PDF/A aus' : `gibt sich als ${found} aus`}. Eine hybride Rechnung muss PDF/A-3 sein.`,
    });
  },
  'attachment-name': ({ invoice: { filename }, identity }) => {
    const names = namesOf(identity);
    // Software that looks for the other known names still finds it.
    const severity = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml', 'ZUGFeRD-invoice.xml'].includes(filename)
      ? 'warning'
      : 'fatal';
    return finding(names.includes(filename), severity, filename, names.join(' or '), {
      en: `The embedded XML is named ${quoted(filename)}; for this profile it has to be ${list(names, 'or')}.`,
      de: `Das eingebettete XML heißt ${quoted(filename)}; für dieses Profil muss es ${list(names, 'oder')} heißen.`,
    });
  },
  'in-name-tree': ({ invoice: { listed } }) =>
    finding(listed, 'fatal', listed ? 'listed' : 'not listed', 'listed', {
      en: 'The XML is not in the list of embedded files of the PDF (EmbeddedFiles), so many programs do not find it.',
      de: 'Das XML fehlt in der Liste der eingebetteten Dateien des PDFs (EmbeddedFiles); viele Programme finden es nicht.',
    }),
  associated: ({ invoice: { associated } }) =>
    finding(associated, 'fatal', associated ? 'associated' : 'not associated', 'associated', {
      en: 'The XML is not associated with the document (entry AF of the catalog), which PDF/A-3 demands.',
      de: 'Das XML ist dem Dokument nicht zugeordnet (Eintrag AF des Katalogs), was PDF/A-3 verlangt.',
    }),
  relationship: ({ invoice: { relationship } }) => {
    const allowed = ['Alternative', 'Source', 'Data'];
    return finding(allowed.includes(relationship ?? ''), 'fatal', relationship, allowed.join(', '), {
      en: `The relationship of the XML to the PDF (AFRelationship) is ${relationship === undefined ? 'missing' : quoted(relationship)}; allowed are ${list(allowed, 'or')}.`,
      de: `Die Beziehung des XML zum PDF (AFRelationship) ${relationship === undefined ? 'fehlt' : `ist ${quoted(relationship)}`}; erlaubt sind ${list(allowed, 'oder')}.`,
    });
  },
  'media-type': ({ invoice: { contentType } }) =>
    finding(['text/xml', 'application/xml'].includes(contentType ?? ''), 'warning', contentType, 'text/xml', {
      en: `The media type of the embedded XML is ${contentType === null ? 'missing' : quoted(contentType)}; it should be "text/xml".`,
      de: `Der Medientyp des eingebetteten XML ${contentType === null ? 'fehlt' : `ist ${quoted(contentType)}`}; er sollte "text/xml" sein.`,
    }),
  'modification-date': ({ invoice: { modificationDate } }) =>
    finding(modificationDate !== null, 'warning', modificationDate, 'a date', {
      en: 'The embedded XML has no modification date (ModDate).',
      de: 'Das eingebettete XML hat kein Änderungsdatum (ModDate).',
    }),
  xmp: ({ claim }) =>
    finding(claim !== undefined, 'fatal', claim?.namespace, 'a description of the invoice', {
      en: 'The XMP metadata of the PDF do not describe the invoice.',
      de: 'Die XMP-Metadaten des PDFs beschreiben die Rechnung nicht.',
    }),
  'xmp-schema': ({ claim }) =>
    claim &&
    finding(claim.schemaDeclared, 'fatal', claim.schemaDeclared ? 'declared' : 'not declared', 'declared', {
      en: 'The XMP metadata use properties of invoices without the extension schema that PDF/A demands for them.',
      de: 'Die XMP-Metadaten verwenden Rechnungseigenschaften ohne das Erweiterungsschema, das PDF/A dafür verlangt.',
    }),
  'xmp-namespace': ({ claim, identity }) => {
    const allowed = namespacesOf(identity);
    return (
      claim &&
      finding(allowed.includes(claim.by), 'warning', claim.namespace, allowed.join(' or '), {
        en: `The XMP metadata describe the invoice in the namespace ${quoted(claim.namespace)}, which is that of another version of the standard than the XML's.`,
        de: `Die XMP-Metadaten beschreiben die Rechnung im Namensraum ${quoted(claim.namespace)}, der zu einer anderen Version des Standards gehört als das XML.`,
      })
    );
  },
  'xmp-document-type': ({ claim }) =>
    claim &&
    finding(claim.documentType === 'INVOICE', 'warning', claim.documentType, 'INVOICE', {
      en: `DocumentType in the XMP metadata is ${quoted(claim.documentType)}; it has to be "INVOICE".`,
      de: `DocumentType in den XMP-Metadaten ist ${quoted(claim.documentType)}; es muss "INVOICE" sein.`,
    }),
  'xmp-file-name': ({ claim, invoice: { filename } }) =>
    claim &&
    finding(claim.fileName === filename, 'fatal', claim.fileName, filename, {
      en: `DocumentFileName in the XMP metadata is ${quoted(claim.fileName)}, but the embedded XML is named ${quoted(filename)}.`,
      de: `DocumentFileName in den XMP-Metadaten ist ${quoted(claim.fileName)}, das eingebettete XML heißt aber ${quoted(filename)}.`,
    }),
  'xmp-version': ({ claim }) =>
    claim &&
    finding((claim.version ?? '') !== '', 'warning', claim.version, 'a version', {
      en: 'The XMP metadata do not name the version of the standard (Version).',
      de: 'Die XMP-Metadaten nennen die Version des Standards nicht (Version).',
    }),
  'xmp-level': ({ claim, identity: { profile } }) => {
    const expected = profile?.xmpLevel;
    return claim === undefined || expected === undefined
      ? undefined
      : finding(sameLevel(claim.level, expected), 'warning', claim.level, expected, {
          en: `ConformanceLevel in the XMP metadata is ${quoted(claim.level)}, but the XML is ${quoted(expected)}. The XML decides.`,
          de: `ConformanceLevel in den XMP-Metadaten ist ${quoted(claim.level)}, das XML ist aber ${quoted(expected)}. Das XML entscheidet.`,
        });
  },
};

/** Spaces are often left out: `EN16931`. */
function sameLevel(found: string | undefined, expected: string): boolean {
  const plain = (text: string): string => text.toUpperCase().replaceAll(/\s+/g, '');
  return plain(found ?? '') === plain(expected);
}
