import type { CatalogOperation } from '@quire/catalog';
import type { Logger, Principal } from '@quire/registry';
import { chargeItem, endCharge, type ResultStamps, type Runner } from '../runner/index.js';
import type { WireFile } from '../workers/index.js';
import type { Allowance, Charge, ChargeItem } from '../../billing/index.js';
import { invalid, parseDefinition } from './definition.js';
import type { FactReader } from './flow/facts.js';
import type { InvoiceReader } from './flow/name-file.js';
import type { VerifiedStep } from './flow/model.js';
import { asWritten, expandSaved, hasSavedSteps, type FindSaved } from './saved-steps.js';
import { runPipeline, type PipelineResult, type PipelineRun } from './run-pipeline.js';
import { invalidReport, verifyPipeline, type PipelineReport } from './verify-pipeline.js';
import { findFiles, type FindStepFile, type SentFiles } from './step-files.js';
import { stepsFor, type VerifyDeps } from './verify-step.js';

/** The result of a run and its charge, which the caller must settle after the result was delivered. */
export interface ChargedResult extends PipelineResult {
  readonly charge: Charge;
}

export interface ReportOptions {
  /** Missing programs are no faults, because another node has them. */
  readonly elsewhere?: boolean;
  /** The name under which it is saved; it may not run itself. */
  readonly savedAs?: string | undefined;
  /** Files for steps that were sent with the call. */
  readonly sent?: SentFiles;
}

/** Verifies and runs pipelines for the run endpoint, the validate endpoint and jobs. */
export class PipelineService {
  constructor(
    private readonly deps: Omit<VerifyDeps, 'elsewhere'> & {
      runner: Runner;
      stamps: Pick<ResultStamps, 'finish'>;
      allowance: Allowance;
      log: Logger;
      parallel: number;
      findSaved: FindSaved;
      findFile: FindStepFile;
      factOf: FactReader;
      invoiceOf: InvoiceReader;
    },
  ) {}

  /** Returns what placeholders for the invoice of a file stand for. Throws INVOICE_NONE for a file that has none. */
  readonly readInvoice: InvoiceReader = (file, signal) => this.deps.invoiceOf(file, signal);

  /**
   * Returns every fault of this pipeline without reading a file. Throws PIPELINE_INVALID if the text is not a pipeline.
   */
  async report(
    json: unknown,
    principal: Principal,
    { elsewhere = false, savedAs, sent = new Map() }: ReportOptions = {},
  ): Promise<PipelineReport> {
    const definition = parseDefinition(json);
    const { maxSteps: most, findSaved: find } = this.deps;
    const written = asWritten(definition);
    const expanded = hasSavedSteps(written.steps)
      ? await expandSaved(written, { find, principal, most, savedAs })
      : written;
    const files = { stored: await findFiles(expanded.steps, this.deps.findFile, principal), sent };
    return verifyPipeline({ ...this.deps, elsewhere, files }, definition, principal, expanded);
  }

  /** As `report`, for steps that are operations. */
  reportSteps(steps: readonly unknown[], principal: Principal): PipelineReport {
    return verifyPipeline(this.deps, parseDefinition(JSON.stringify({ pipeline: steps })), principal);
  }

  /** Returns the operations that this caller may use as steps now. */
  stepsFor(principal: Principal): CatalogOperation[] {
    return stepsFor(this.deps, principal);
  }

  /** Returns the verified pipeline. Throws PIPELINE_INVALID with every fault. */
  async verify(
    json: unknown,
    principal: Principal,
    strict: boolean,
    elsewhere = false,
    sent?: SentFiles,
  ): Promise<PipelineReport> {
    const report = await this.report(json, principal, { elsewhere, ...(sent === undefined ? {} : { sent }) });
    if (report.faults.length > 0 || (strict && report.ignored.length + report.replaced.length > 0))
      throw invalidReport(report, strict);
    if (report.masked.length > 0) throw invalid(report.masked);
    return report;
  }

  /** Rejects if the allowance does not suffice for all steps now; for a pipeline that is queued. */
  check({ steps }: PipelineReport, principal: Principal): Promise<void> {
    return this.deps.allowance.check(principal, itemsOf(steps), 'pipeline');
  }

  /**
   * Charges every step once before the first file is read, then runs. Steps that no file reached are refunded when the
   * result is settled.
   */
  async run(
    { steps, flow }: PipelineReport,
    run: Omit<PipelineRun, 'steps' | 'flow' | 'parallel'>,
  ): Promise<ChargedResult> {
    const { runner, stamps, allowance, log, parallel, factOf, invoiceOf } = this.deps;
    const charge = await allowance.charge(run.principal, itemsOf(steps), 'pipeline');
    const begun = new Set<number>();
    const onStep: PipelineRun['onStep'] = (index, path) => {
      begun.add(index);
      run.onStep?.(index, path);
    };
    try {
      const result = await runPipeline(
        { runner, stamps, log, factOf, invoiceOf },
        { ...run, onStep, flow, steps: steps.length, parallel },
      );
      return { ...result, charge: { ...charge, settle: () => charge.settle(begun) } };
    } catch (error) {
      await endCharge(charge, error, begun);
      throw error;
    }
  }

  zip(files: readonly WireFile[], target: string, signal: AbortSignal): Promise<WireFile> {
    return this.deps.runner.zip(files, target, signal);
  }
}

function itemsOf(steps: readonly VerifiedStep[]): ChargeItem[] {
  return steps.map(({ entry }) => chargeItem(entry));
}
