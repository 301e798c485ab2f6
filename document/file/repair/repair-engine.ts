export interface EngineLimits {
  /** Milliseconds it may take. */
  readonly timeMs: number;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface EngineResult {
  readonly bytes: Uint8Array;
  /** Faults of the file, as sentences; from engines that report them. */
  readonly warnings?: readonly string[];
}

/** An engine that reads as much as it can of a damaged file and rewrites it. */
export interface RepairEngine {
  readonly name: string;
  rebuild(bytes: Uint8Array, limits: EngineLimits): Promise<EngineResult>;
}

/**
 * A program outside this process that rewrites PDFs; the host runs it. It must end soon after its signal is aborted.
 */
export interface RepairProgram {
  readonly name: string;
  rebuild(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}
