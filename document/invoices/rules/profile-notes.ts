import { profileOf } from '../profiles/index.js';
import type { Facts } from './facts.js';
import { filled, type Report, type Rule, sentence } from './rule.js';
import type { Sentence, Severity } from './violation.js';

const note = (id: string, severity: Severity, message: Sentence, check: Rule['check']): Rule => ({
  id,
  set: 'profile',
  severity,
  terms: ['BT-24'],
  message,
  check,
});

/** What is said of the profile itself. These ids are our own. */
export const profileRules: readonly Rule[] = [
  note(
    'QUIRE-PROFILE-01',
    'warning',
    sentence(
      'The specification identifier is not known; the invoice was checked as one of EN 16931.',
      'Die Kennung der Spezifikation ist nicht bekannt; geprüft wurde nach EN 16931.',
    ),
    checkUnknown,
  ),
  note(
    'QUIRE-PROFILE-02',
    'information',
    sentence(
      'This is an invoice of Peppol: it was checked by the rules of EN 16931, not by those of the Peppol network.',
      'Dies ist eine Peppol-Rechnung: Geprüft wurde nach EN 16931, nicht nach den Regeln des Peppol-Netzwerks.',
    ),
    (facts, report) => {
      if (facts.profile?.standard === 'peppol') reportSpecification(facts, report);
    },
  ),
  note(
    'QUIRE-PROFILE-04',
    'information',
    sentence(
      'This profile holds totals only: it is no invoice of EN 16931, and its lines are on the page.',
      'Dieses Profil enthält nur Summen: Es ist keine Rechnung nach EN 16931, die Positionen stehen auf dem Blatt.',
    ),
    (facts, report) => {
      if (facts.profile?.id === 'minimum' || facts.profile?.id === 'basic-wl') reportSpecification(facts, report);
    },
  ),
  note(
    'QUIRE-PROFILE-05',
    'information',
    sentence(
      'ZUGFeRD 1.0 is older than EN 16931, whose rules do not apply; amounts were compared as a hint.',
      'ZUGFeRD 1.0 ist älter als EN 16931, deren Regeln nicht gelten; Beträge wurden zur Orientierung verglichen.',
    ),
    (facts, report) => {
      if (facts.read.syntax === 'zugferd1') reportSpecification(facts, report);
    },
  ),
  note(
    'QUIRE-PROFILE-06',
    'fatal',
    sentence(
      'The specification identifier does not belong to Factur-X, whose identifiers begin with ' +
        'urn:cen.eu:en16931:2017#compliant#urn:.',
      'Die Kennung der Spezifikation ist keine von Factur-X: Sie beginnen mit urn:cen.eu:en16931:2017#compliant#urn:.',
    ),
    (facts, report) => {
      // Drafts of Factur-X wrote ":compliant:", and programs that look for the identifier do not know it.
      if (facts.invoice.process?.specification?.includes('2017:co') === true) reportSpecification(facts, report);
    },
  ),
  {
    ...note(
      'QUIRE-ZUGFERD1-01',
      'fatal',
      sentence(
        'The specification identifier does not belong to ZUGFeRD 1.0 (…:invoice:1p0:basic, comfort or extended).',
        'Die Kennung der Spezifikation ist keine von ZUGFeRD 1.0 (…:invoice:1p0:basic, comfort oder extended).',
      ),
      (facts, report) => {
        if (!ZUGFERD1_IDENTIFIER.test(facts.invoice.process?.specification ?? '')) reportSpecification(facts, report);
      },
    ),
    set: 'zugferd1',
  },
  {
    ...note(
      'QUIRE-ZUGFERD1-02',
      'fatal',
      sentence('An element is not part of ZUGFeRD 1.0.', 'Ein Element gehört nicht zu ZUGFeRD 1.0.'),
      checkNamespaces,
    ),
    set: 'zugferd1',
    terms: [],
  },
];

/** The second form is that of the draft. */
const ZUGFERD1_IDENTIFIER = /^urn:ferd:(?:CrossIndustryDocument:invoice:1p0|invoice:rc):(?:basic|comfort|extended)$/;

/** There is no schema for ZUGFeRD 1 here; elements of other namespaces are what can be seen without one. */
function checkNamespaces(facts: Facts, report: Report): void {
  for (const [qname, elements] of facts.allElements) {
    if (!qname.startsWith('{')) continue;
    for (const element of elements) {
      const message = sentence(
        `The element ${element.name} (namespace ${element.namespace}) is not part of ZUGFeRD 1.0.`,
        `Das Element ${element.name} (Namensraum ${element.namespace}) gehört nicht zu ZUGFeRD 1.0.`,
      );
      report({ at: element, message });
    }
  }
}

function reportSpecification({ invoice: { process }, invoice }: Facts, report: Report): void {
  report({
    at: process === undefined ? [invoice] : [process, 'specification'],
    value: process?.specification,
  });
}

function checkUnknown(facts: Facts, report: Report): void {
  const specification = facts.invoice.process?.specification;
  if (filled(specification) && profileOf(specification) === undefined && facts.read.syntax !== 'zugferd1')
    reportSpecification(facts, report);
}
