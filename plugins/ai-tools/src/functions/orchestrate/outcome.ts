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
  /** Index of the upload it was created from; null if unknown. */
  readonly sourceIndex: number | null;
}

/** Pages of a file whose content is asked for. */
export interface NeededContent {
  /** `id`: SHA-256 of the file's bytes. */
  readonly file: NeededFile;
  /** 1-based. */
  readonly pageNumbers: readonly number[];
  readonly contentTypes: readonly string[];
}

/** A file that is asked for. */
export interface NeededFile {
  readonly id: string;
  readonly name: string;
}

/**
 * Outcomes that ask the client for something name the next address in `resumeWith`: `need_content` for documents
 * (`files` is empty) or for the text of pages without text; `need_ingest` for documents to index, which together are
 * too long for one question; `need_clarification` for an answer; `tool_call` and `plan` for a document on which `tool`
 * or these `steps` are run; `generate_file` for a call of `tool` with `parameters`, which creates the file.
 */
export const outcomeNames = [
  'answer',
  'not_found',
  'need_content',
  'need_ingest',
  'plan',
  'need_clarification',
  'cannot_do',
  'draft',
  'tool_call',
  'completed',
  'unsupported_capability',
  'cannot_continue',
  'generate_file',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];

/** Addresses that outcomes name. */
export const addresses = {
  orchestrate: '/api/v1/ai/orchestrate',
  pipeline: '/api/v1/pipeline/handleData',
  recognise: '/api/v1/misc/ocr-pdf',
  ingest: '/api/v1/docparse/ingest',
  create: '/api/v1/ai/tools/create-pdf-from-html-agent',
} as const;

/** Outcome of a request (`docs/interface/ai.yml`, orchestrate); every member is always present. */
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
  /** Of `tool`. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly fileId: string | null;
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly resultFiles: readonly ResultFile[];
  readonly files: readonly NeededContent[];
  readonly filesToIngest: readonly NeededFile[];
  readonly maxPages: number | null;
  readonly maxCharacters: number | null;
  /** Address. */
  readonly resumeWith: string | null;
  readonly report: unknown;
  readonly errorCode: string | null;
  readonly errorSubscribed: boolean | null;
}

const nothing: Omit<Outcome, 'outcome'> = {
  answer: null,
  content: null,
  filename: null,
  summary: null,
  rationale: null,
  reason: null,
  question: null,
  capability: null,
  message: null,
  evidence: [],
  steps: [],
  tool: null,
  parameters: null,
  fileId: null,
  fileName: null,
  contentType: null,
  resultFiles: [],
  files: [],
  filesToIngest: [],
  maxPages: null,
  maxCharacters: null,
  resumeWith: null,
  report: null,
  errorCode: null,
  errorSubscribed: null,
};

/** An outcome with all its members. */
export function outcome(name: OutcomeName, members: Partial<Omit<Outcome, 'outcome'>> = {}): Outcome {
  return { outcome: name, ...nothing, ...members };
}
