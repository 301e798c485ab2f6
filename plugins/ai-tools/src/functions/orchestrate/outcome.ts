/** Words of a document that were found on the page that they are said to be on. */
export interface Evidence {
  /** 1-based. */
  readonly pageNumber: number;
  readonly text: string;
  /** Name of the file, where there are several. */
  readonly fileName?: string;
}

/** A file that came of it, for `GET /api/v1/general/files/{fileId}`. */
export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Index of the upload that it was made of; null where that cannot be told. */
  readonly sourceIndex: number | null;
}

/** Outcomes that this server gives; the contract has more, for engines that ask the server back. */
export type OutcomeName = 'answer' | 'not_found' | 'need_clarification' | 'cannot_do' | 'completed' | 'unsupported_capability' | 'cannot_continue';

/** What came of a request (`contract/ai.yml`, orchestrate); every member is there. */
export interface Outcome {
  readonly outcome: OutcomeName;
  readonly answer: string | null;
  readonly content: string | null;
  readonly filename: string | null;
  readonly summary: string | null;
  readonly rationale: string | null;
  readonly reason: string | null;
  readonly question: string | null;
  readonly capability: string | null;
  readonly message: string | null;
  readonly evidence: readonly Evidence[];
  readonly steps: readonly { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  readonly tool: string | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly fileId: string | null;
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly resultFiles: readonly ResultFile[];
  readonly files: readonly never[];
  readonly filesToIngest: readonly never[];
  readonly maxPages: number | null;
  readonly maxCharacters: number | null;
  readonly resumeWith: string | null;
  readonly report: unknown;
  readonly errorCode: string | null;
  readonly errorSubscribed: boolean | null;
}

const nothing: Omit<Outcome, 'outcome'> = {
  answer: null, content: null, filename: null, summary: null, rationale: null, reason: null, question: null, capability: null, message: null, evidence: [], steps: [], tool: null, parameters: null, fileId: null,
  fileName: null, contentType: null, resultFiles: [], files: [], filesToIngest: [], maxPages: null, maxCharacters: null, resumeWith: null, report: null, errorCode: null, errorSubscribed: null,
};

/** An outcome with all its members. */
export function outcome(name: OutcomeName, members: Partial<Omit<Outcome, 'outcome'>> = {}): Outcome {
  return { outcome: name, ...nothing, ...members };
}
