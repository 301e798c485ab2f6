import type { ProblemKind } from '../folder-problem.js';

/**
 * What a folder is doing. `settling`: files are not complete yet; `elsewhere`: another node works there; `problem`: it
 * cannot be processed.
 */
export const folderStates = ['watching', 'settling', 'waiting', 'running', 'elsewhere', 'problem'] as const;
export type FolderState = (typeof folderStates)[number];

/** The problem of a folder, as its report says. */
export interface ShownProblem {
  readonly kind: ProblemKind;
  readonly detail: string;
  /** ISO 8601. */
  readonly since: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The pipeline of a folder without its parameters, which may contain passwords. */
export interface ShownPipeline {
  readonly file: string;
  readonly name: string;
}

/** The state of a folder as one node sees it. */
export interface FolderStatus {
  readonly state: FolderState;
  /** Runs that are active on this node. */
  readonly running: number;
  /** Files that wait: incomplete ones and those whose turn has not come. */
  readonly waiting: number;
  readonly pipeline: ShownPipeline | null;
  readonly problem: ShownProblem | null;
}

/** The facts that the status of a folder is derived from. */
export interface FolderFacts {
  readonly running: number;
  readonly queued: number;
  /** Files that are not complete yet. */
  readonly unsettled: number;
  readonly elsewhere: boolean;
  readonly pipeline: ShownPipeline | null;
  readonly problem: ShownProblem | null;
}

const MOST_ERRORS = 50;

/** Derives the status; a problem comes first, because somebody must do something about it. */
export function statusOf({ running, queued, unsettled, elsewhere, pipeline, problem }: FolderFacts): FolderStatus {
  const state =
    problem !== null
      ? 'problem'
      : running > 0
        ? 'running'
        : elsewhere
          ? 'elsewhere'
          : queued > 0
            ? 'waiting'
            : unsettled > 0
              ? 'settling'
              : 'watching';
  return {
    state,
    running,
    waiting: queued + unsettled,
    pipeline,
    problem: problem === null ? null : { ...problem, errors: problem.errors.slice(0, MOST_ERRORS) },
  };
}
