import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { type Report, type Rule, sentence } from '../rule.js';
import { checkProfile, type Deviation } from './check-profile.js';
import { contentWithoutPlace } from './content.js';
import { isPresentFacturX, sincePresentFacturX } from './in-force.js';
import { PROFILE_LETTERS, profileTree, restrictionRules } from './profile-tree.js';

const walked = new WeakMap<XmlElement, Map<string, readonly Deviation[]>>();

/** What the invoice has that its profile does not have, from one walk for all rules. */
function deviationsOf({ read: { root }, profile, currencies }: Facts): readonly Deviation[] {
  const letter = profile === undefined ? undefined : PROFILE_LETTERS[profile.id];
  if (letter === undefined) return [];
  const known = walked.get(root) ?? new Map<string, readonly Deviation[]>();
  walked.set(root, known);
  const found = known.get(letter) ?? checkProfile(root, profileTree(letter), currencies);
  known.set(letter, found);
  return found;
}

/** What has no place in the profile, by the schemas and by tests that have no number. */
function checkPlaces(facts: Facts, report: Report): void {
  const isPresent = isPresentFacturX(facts);
  const named = contentWithoutPlace(facts, report, isPresent);
  for (const { rule, at, value, message } of deviationsOf(facts)) {
    if (rule !== undefined || named.has(at)) continue;
    report({ at, value, message, ...(isPresent ? {} : { severity: 'warning' as const }) });
  }
}

/** Elements, attributes and codes of the profiles of Factur-X. The numbers are those of the schematrons. */
export const profileStructureRules: readonly Rule[] = [
  {
    id: 'QUIRE-PROFILE-07',
    set: 'factur-x',
    severity: 'fatal',
    terms: ['BT-24'],
    family: 'cii',
    message: sentence(
      'The invoice holds something that its profile has no place for.',
      'Die Rechnung enthält etwas, wofür ihr Profil keinen Platz hat.',
    ),
    check: checkPlaces,
  },
  ...restrictionRules().map((id) =>
    sincePresentFacturX({
      id,
      set: 'factur-x',
      severity: 'fatal',
      terms: [],
      family: 'cii',
      message: sentence(
        'An element, an attribute or a code is not as the profile of Factur-X wants it.',
        'Ein Element, ein Attribut oder ein Code ist nicht so, wie es das Profil von Factur-X verlangt.',
      ),
      check: (facts, report) => {
        for (const { rule, at, value, message } of deviationsOf(facts)) if (rule === id) report({ at, value, message });
      },
    }),
  ),
];
