import type { Logger, Principal } from '@quire/registry';
import type { Runner, WireFile } from '../execution/index.js';
import { invalid, parseDefinition } from './definition.js';
import { runPipeline, type PipelineResult, type PipelineRun } from './run-pipeline.js';
import { verifyPipeline, type PipelineReport, type VerifyParts } from './verify-pipeline.js';

/** A pipeline from text to result; the route, the validate endpoint and jobs use this one. */
export class PipelineService {
  constructor(private readonly parts: VerifyParts & { runner: Runner; log: Logger; parallel: number }) {}

  /** Everything that is wrong with this pipeline, without a file. Throws PIPELINE_INVALID when the text is no pipeline at all. */
  report(json: unknown, principal: Principal): PipelineReport {
    return verifyPipeline(this.parts, parseDefinition(json), principal);
  }

  /** The verified pipeline, or PIPELINE_INVALID with every fault. */
  verify(json: unknown, principal: Principal, strict: boolean): PipelineReport {
    const report = this.report(json, principal);
    const faults = strict ? [...report.faults, ...report.ignored] : report.faults;
    if (faults.length > 0) throw invalid(...faults);
    return report;
  }

  run(report: PipelineReport, run: Omit<PipelineRun, 'steps' | 'parallel'>): Promise<PipelineResult> {
    const { runner, log, parallel } = this.parts;
    return runPipeline(runner, log, { ...run, steps: report.steps, parallel });
  }

  zip(files: readonly WireFile[], target: string, signal: AbortSignal): Promise<WireFile> {
    return this.parts.runner.zip(files, target, signal);
  }
}
