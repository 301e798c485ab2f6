import type { Native } from '../measure/compare-programs.js';
import type { ResultCheck } from './check.js';

/** A call of a server. */
export interface PeerCall {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Names of the files in the form, where the server wants certain ones. */
  readonly names?: readonly string[];
  /** Files sent before the inputs, where the server needs more than the inputs. */
  readonly before?: () => Promise<readonly string[]>;
}

/** A native program, run in an empty folder; all programs that it starts must be installed. */
export interface PeerProgram extends Native {
  readonly needs: readonly string[];
}

/** What issue Q wants, next to what it measured of Gotenberg on the same machine. */
export interface Wish {
  readonly ms?: number;
  readonly perSecond?: number;
  /** The wish is to stay as fast as we were. */
  readonly keep?: true;
  readonly gotenbergMs?: number;
}

/** A row of the table: the same inputs and the same check of the result for everybody who does this job. */
export interface PeerJob {
  readonly name: string;
  readonly what: string;
  readonly inputs: () => Promise<readonly string[]>;
  readonly ours: PeerCall;
  readonly gotenberg?: PeerCall;
  readonly native?: (inputs: readonly string[]) => PeerProgram | Promise<PeerProgram>;
  readonly check: ResultCheck;
  readonly wish: Wish;
}
