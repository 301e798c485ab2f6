import type { JoiRoot } from '@quire/registry';
import { MOST_RESULTS, USUAL_RESULTS, type ListQuery } from '../model/list.js';
import type { Projection } from '../model/project.js';
import type { Resource } from '../model/schema.js';

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const LONGEST = 4000;

/** Parameters that choose attributes. */
export const projectionQuery = (joi: JoiRoot) =>
  joi.object({
    attributes: joi.string().max(LONGEST).allow('').description('Only these attributes, comma separated'),
    excludedAttributes: joi.string().max(LONGEST).allow('').description('Without these attributes, comma separated'),
  });

/** Parameters of a list. */
export const listQuery = (joi: JoiRoot) =>
  projectionQuery(joi).keys({
    filter: joi.string().max(LONGEST).allow('').description('Such as `userName eq "ada@example.org"`'),
    sortBy: joi.string().max(200).allow('').description('An attribute'),
    sortOrder: joi.string().valid('ascending', 'descending').insensitive().default('ascending').description('Order'),
    startIndex: joi.number().integer().default(1).description('The first one, from 1'),
    count: joi.number().integer().default(USUAL_RESULTS).description(`How many, at most ${MOST_RESULTS}`),
  });

/** The body of a search has the same parameters, and lists of attributes. */
export const searchBody = (joi: JoiRoot) =>
  joi
    .object({
      schemas: joi.array().items(joi.string()).description(SEARCH).example([SEARCH]),
      attributes: joi.array().items(joi.string()).max(500).description('Only these attributes'),
      excludedAttributes: joi.array().items(joi.string()).max(500).description('Without these attributes'),
      filter: joi.string().max(LONGEST).allow('').description('As in the query of a list').example('active eq true'),
      sortBy: joi.string().max(200).allow('').description('An attribute'),
      sortOrder: joi.string().valid('ascending', 'descending').insensitive().default('ascending').description('Order'),
      startIndex: joi.number().integer().default(1).description('The first one, from 1'),
      count: joi.number().integer().default(USUAL_RESULTS).description(`How many, at most ${MOST_RESULTS}`),
    })
    .label('ScimSearch');

/** Reads which attributes an answer has. */
export function projectionOf({ attributes, excludedAttributes }: Resource): Projection {
  return { only: namesOf(attributes), except: namesOf(excludedAttributes) };
}

/** Reads the parameters of a list; numbers out of range become the nearest one (RFC 7644, 3.4.2.4). */
export function queryOf(given: Resource): ListQuery {
  const { filter, sortBy, sortOrder, startIndex, count } = given;
  return {
    ...projectionOf(given),
    filter: textOf(filter),
    sortBy: textOf(sortBy),
    descending: sortOrder === 'descending',
    startIndex: Math.max(1, Number(startIndex)),
    count: Math.min(MOST_RESULTS, Math.max(0, Number(count))),
  };
}

function namesOf(given: unknown): readonly string[] | undefined {
  const names = (Array.isArray(given) ? given.map(String) : String(given ?? '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}

function textOf(given: unknown): string | undefined {
  return typeof given === 'string' && given.trim() !== '' ? given : undefined;
}
