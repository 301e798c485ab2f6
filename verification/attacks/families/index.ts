import type { Attack, Battlefield } from '../attack.js';
import { addressAttacks } from './addresses.js';
import { credentialAttacks } from './credentials.js';
import { documentAttacks } from './documents.js';
import { fieldAttacks, nameAttacks, structureAttacks } from './fields.js';
import { jsonAttacks } from './json.js';
import { pathAttacks } from './paths.js';
import { foreignAttacks, pipelineAttacks } from './pipelines.js';
import { wireAttacks } from './wire.js';

/** All attacks, derived from the served API description; those that reach least far first. */
export function allAttacks(battlefield: Battlefield): readonly Attack[] {
  return [
    wireAttacks,
    credentialAttacks,
    foreignAttacks,
    pathAttacks,
    jsonAttacks,
    structureAttacks,
    nameAttacks,
    pipelineAttacks,
    addressAttacks,
    fieldAttacks,
    documentAttacks,
  ].flatMap((family) => family(battlefield));
}
