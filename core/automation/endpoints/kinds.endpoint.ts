import type Joi from 'joi';
import { showFields } from '@quire/catalog';
import { defineEndpoint, type Endpoint, type JoiRoot, type ShownField } from '@quire/registry';
import { shownFieldSchema } from '../../console/index.js';
import { usualContent } from '../automations/model.js';
import type { Kinds, MakingKind } from '../connector-options.js';
import type { DestinationKind } from '../connectors/model.js';
import { usualSchema } from './automation-wire.js';
import { codes, shared } from './automations.endpoint.js';

/** A kind of source or destination as the console shows it. */
interface KindWire {
  readonly type: string;
  readonly title: string;
  readonly help: string;
  readonly icon: string;
  readonly announces: boolean;
  readonly fields: readonly ShownField[];
}

const USUAL_ICON = 'plug';
const { description: _, ...defaults } = usualContent;

const kindsSchema = (joi: JoiRoot) =>
  joi
    .object({
      sources: joi.array().items(kindSchema(joi)).required(),
      destinations: joi.array().items(kindSchema(joi)).required(),
      defaults: usualSchema(joi).required().description('What an automation has that does not say otherwise'),
    })
    .label('AutomationKinds');

const kindSchema = (joi: JoiRoot) =>
  joi
    .object({
      type: joi.string().required(),
      title: joi.string().required(),
      help: joi.string().allow('').required(),
      icon: joi.string().required(),
      announces: joi
        .boolean()
        .required()
        .description('Whether files that arrive can start an automation; false for destinations'),
      fields: joi.array().items(shownFieldSchema(joi)).required().description('Its options as people see them'),
    })
    .label('AutomationKind');

/** The kinds of sources and destinations of this server. */
export function kindsEndpoint(kinds: Kinds): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'listAutomationKinds',
    method: 'GET',
    path: 'automations/kinds',
    summary: 'List the kinds of sources and destinations',
    notes: 'With the options of each, to show a form for them. Options that the server makes itself are left out.',
    returns: { description: 'The kinds', json: kindsSchema },
    errors: [...codes],
    handle: async () => ({
      json: {
        sources: [...kinds.sources.values()].map((kind) => kindWire(kind, kind.announces)),
        destinations: [...kinds.destinations.values()].map((kind) => kindWire(kind, false)),
        defaults,
      },
    }),
  });
}

function kindWire(kind: MakingKind | DestinationKind, announces: boolean): KindWire {
  const { type, title = type, help = '', icon = USUAL_ICON, secrets } = kind;
  const made = new Set(Object.keys('make' in kind ? (kind.make?.() ?? {}) : {}));
  const fields = showFields({}, kind.options as Joi.ObjectSchema)
    .filter(({ name }) => !made.has(name))
    .map((field): ShownField => (secrets.includes(field.name) ? { ...field, widget: 'secret' } : field));
  return { type, title, help, icon, announces, fields };
}
