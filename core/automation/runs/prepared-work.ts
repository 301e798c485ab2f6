import { effectsOf, isQuireError, type Principal } from '@quire/registry';
import type { PipelineReport } from '../../operations/pipelines/index.js';
import { definitionOf } from '../automations/check-automation.js';
import type { Automation } from '../automations/model.js';
import type { EngineDeps } from './engine-deps.js';
import { NotNow } from './item-ends.js';

/** A verified pipeline. */
export interface Prepared {
  readonly json: string;
  readonly report: PipelineReport;
}

/** How long a pipeline is used before it is read and verified again, ms; its job verifies it once more. */
const KEPT_MS = 1000;

/** The pipeline of one automation, verified once for files that begin in quick succession. */
export class PreparedWork {
  #kept: { readonly revision: number; readonly atMs: number; readonly made: Promise<Prepared> } | undefined;

  constructor(private readonly deps: Pick<EngineDeps, 'saved' | 'pipelines' | 'principalOf'>) {}

  /** Rejects with NotNow when it cannot run. */
  of(automation: Automation, principal: Principal): Promise<Prepared> {
    const { revision } = automation;
    const now = performance.now();
    if (this.#kept?.revision !== revision || now - this.#kept.atMs > KEPT_MS)
      this.#kept = { revision, atMs: now, made: this.#make(automation, principal) };
    return this.#kept.made;
  }

  /**
   * Whether several files may be run in one job. Calls of other servers are not repeated for one file because another
   * one made the job fail.
   */
  async mayShareJob(automation: Automation): Promise<boolean> {
    try {
      const { report } = await this.of(automation, await this.deps.principalOf(automation));
      return !report.steps.some(({ entry }) => effectsOf(entry.operation).includes('needsNetwork'));
    } catch {
      // The work on each file finds out why.
      return false;
    }
  }

  async #make({ content, name }: Automation, principal: Principal): Promise<Prepared> {
    try {
      const json = await definitionOf(this.deps.saved, content.work, name, principal);
      return { json, report: await this.deps.pipelines().verify(json, principal, false, true) };
    } catch (error) {
      if (isQuireError(error) && error.row.status < 500)
        throw new NotNow(error.code, `The automation cannot run: ${error.message}`, { cause: error });
      throw error;
    }
  }
}
