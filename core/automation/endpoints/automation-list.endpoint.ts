import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { namedEventStream } from '../../http/response/index.js';
import { hideContent, type Hiding } from '../automations/hidden-values.js';
import { followedList, type FollowDeps } from '../live/followed-list.js';
import type { Row } from '../live/live-list.js';
import { runStates } from '../runs/run-records.js';
import { automationSchema, automationWire } from './automation-wire.js';
import { codes, shared } from './automations.endpoint.js';

export interface AutomationListDeps extends Omit<FollowDeps, 'shown'> {
  readonly hiding: Hiding;
}

const rowSchema = (joi: JoiRoot) =>
  automationSchema(joi)
    .keys({
      lastRun: joi
        .object({
          state: joi
            .string()
            .valid(...runStates)
            .required(),
          startedAt: joi.string().isoDate().required(),
        })
        .label('AutomationLastRun')
        .allow(null)
        .required(),
      waiting: joi
        .object({ code: joi.string().required(), detail: joi.string().allow('').required() })
        .label('AutomationWaiting')
        .allow(null)
        .required()
        .description('Why a file waits, if it is for something else than its turn'),
    })
    .label('AutomationRow');

const eventSchema = (joi: JoiRoot) => {
  const rows = () => joi.array().items(rowSchema(joi));
  const ids = () => joi.array().items(joi.string());
  return joi
    .object({
      automations: rows().description('Of `list`: all, in their order'),
      changed: rows().description('Of `change`: those that are new or have changed'),
      removed: ids().description('Of `change`: ids of those that were deleted, or that you no longer see'),
      order: ids().description('Of `change`: all ids in their order, where that has changed'),
      sources: joi.string().required().description('Another text when sources that you see have changed'),
    })
    .label('AutomationListEvent');
};

/** The list of automations as a stream. */
export function automationListEndpoint({ hiding, ...deps }: AutomationListDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'getAutomationListEvents',
    method: 'GET',
    path: 'automations/events',
    summary: 'Stream the list of automations (server-sent events)',
    notes:
      'First `list` with all that you see, then `change` with what has changed, at most once a second: what they ' +
      'are, files in each state, problems, next start, last run. Your rights are looked at again before each event. ' +
      'The stream ends after five minutes; connect again with `Last-Event-ID`, and the list is not sent again where ' +
      'it is the same.',
    returns: { description: 'Events', mediaType: 'text/event-stream', json: eventSchema },
    errors: [...codes],
    handle: async ({ principal, headers, signal }) => {
      const shown = (row: Row, editable: boolean): object => rowWire(row, editable, hiding);
      const events = followedList({ ...deps, shown }, principal, { signal, lastId: headers['last-event-id'] });
      return {
        stream: { mediaType: 'text/event-stream', body: namedEventStream(events, signal) },
        headers: { 'cache-control': 'private, no-store' },
      };
    },
  });
}

function rowWire({ automation, lastRun, waiting, ...facts }: Row, editable: boolean, hiding: Hiding): object {
  return {
    ...automationWire(automation, hideContent(automation.content, hiding), {
      ...facts,
      editable: editable && facts.folder === undefined,
    }),
    lastRun: lastRun === undefined ? null : { ...lastRun, startedAt: new Date(lastRun.startedAt).toISOString() },
    waiting: waiting ?? null,
  };
}
