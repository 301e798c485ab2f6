import { filesNamed } from '../../operations/pipelines/index.js';
import type { AutomationRecords } from '../automations/automation-records.js';
import type { Work } from '../automations/model.js';
import type { PipelineRecord } from '../model.js';
import type { PipelineRecords } from '../pipeline-records.js';
import type { Owned } from '../team-records.js';

/** An automation or a saved pipeline whose steps name an asset. */
export interface AssetUse {
  readonly kind: 'automation' | 'pipeline';
  readonly name: string;
  /** The automation's owner; undefined for a saved pipeline. */
  readonly automation?: Owned;
  readonly pipeline?: PipelineRecord;
}

/** Finds what names an asset. Earlier versions of saved pipelines count, because they can be restored and pinned. */
export class AssetUses {
  constructor(
    private readonly deps: {
      readonly automations: Pick<AutomationRecords, 'current'>;
      readonly pipelines: Pick<PipelineRecords, 'all' | 'versions' | 'contentOf'>;
    },
  ) {}

  async of(id: string): Promise<readonly AssetUse[]> {
    const automations = (await this.deps.automations.current()).filter(({ content }) => inWork(content.work).has(id));
    const pipelines: AssetUse[] = [];
    for (const record of await this.deps.pipelines.all())
      if ((await inVersions(this.deps.pipelines, record)).has(id))
        pipelines.push({ kind: 'pipeline', name: record.name, pipeline: record });
    return [
      ...automations.map((one): AssetUse => ({ kind: 'automation', name: one.name, automation: one })),
      ...pipelines,
    ];
  }
}

/** The assets that the versions of a saved pipeline name, without those that this server's key cannot open. */
export async function inVersions(
  pipelines: Pick<PipelineRecords, 'versions' | 'contentOf'>,
  record: PipelineRecord,
): Promise<ReadonlySet<string>> {
  const named = (await pipelines.versions(record)).flatMap((facts) => {
    try {
      return [...filesNamed(pipelines.contentOf(record, facts).definition.pipeline)];
    } catch {
      return [];
    }
  });
  return new Set(named);
}

/** The assets that the steps of an automation name. */
export function inWork({ pipeline }: Work): ReadonlySet<string> {
  return typeof pipeline === 'string' ? new Set() : filesNamed(pipeline);
}
