import type { ConnectionUses, Principal } from '@quire/registry';
import { isObject, pathOf, stepsWithin } from '../operations/pipelines/index.js';
import type { AutomationRecords } from './automations/automation-records.js';
import type { ConnectorOptions } from './connectors/model.js';
import type { PipelineRecord } from './model.js';
import type { PipelineRecords } from './pipeline-records.js';
import type { SourceRecords } from './sources/source-records.js';
import type { Owned, TeamRecords } from './team-records.js';

interface ConnectionUsesDeps {
  readonly automations: Pick<AutomationRecords, 'all'>;
  readonly sources: Pick<SourceRecords, 'all'>;
  readonly pipelines: Pick<PipelineRecords, 'all' | 'contentOf'>;
  readonly teams: TeamRecords;
  mayRun(pipeline: PipelineRecord, principal: Principal): boolean;
}

/** Operations whose `connectionId` is a saved connection. */
const INTEGRATION = /^\/api\/v1\/integration\//;
const MOST_NAMED = 5;

/**
 * Finds the sources, automations and saved pipelines that name a saved connection: in options, and in steps of the
 * operations `integration/…`.
 */
export function connectionUses(deps: ConnectionUsesDeps): ConnectionUses {
  return {
    of: async (id, caller) => {
      const uses = await usesOf(deps, id);
      const visible = uses.filter(({ seenBy }) => seenBy(caller)).slice(0, MOST_NAMED);
      return { named: visible.map(({ words }) => words), others: uses.length - visible.length };
    },
  };
}

interface Use {
  readonly words: string;
  seenBy(caller: Principal): boolean;
}

async function usesOf({ automations, sources, pipelines, teams, mayRun }: ConnectionUsesDeps, id: number) {
  const ofTeam = (words: string, owned: Owned): Use => ({ words, seenBy: (caller) => teams.sees(caller, owned) });
  const uses = (await sources.all())
    .filter(({ options }) => names(options, id))
    .map((source) => ofTeam(`the source "${source.name}"`, source));
  for (const one of await automations.all()) {
    const { work, destinations } = one.content;
    const inSteps = typeof work.pipeline !== 'string' && stepsName(work.pipeline, id);
    if (inSteps || destinations.some(({ options }) => names(options, id)))
      uses.push(ofTeam(`the automation "${one.name}"`, one));
  }
  for (const record of await pipelines.all())
    if (stepsName(stepsOf(pipelines, record), id))
      uses.push({ words: `the saved pipeline "${record.name}"`, seenBy: (caller) => mayRun(record, caller) });
  return uses;
}

function names({ connectionId }: ConnectorOptions, id: number): boolean {
  return String(connectionId ?? '').trim() === String(id);
}

function stepsName(steps: readonly unknown[], id: number): boolean {
  return stepsWithin(steps).some(({ step }) => {
    const { parameters } = step;
    return INTEGRATION.test(pathOf(step)) && isObject(parameters) && names(parameters, id);
  });
}

/** The current steps; none where this server's key cannot open them. */
function stepsOf(pipelines: Pick<PipelineRecords, 'contentOf'>, record: PipelineRecord): readonly unknown[] {
  try {
    return pipelines.contentOf(record, record).definition.pipeline;
  } catch {
    return [];
  }
}
