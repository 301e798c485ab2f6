import type { Principal } from '@quire/registry';

/** A schema of JSON (JSON Schema 2020-12), as far as tools use it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The scope that an access token needs for a tool. */
export type ToolScope = 'mcp.tools.read' | 'mcp.tools.write';

/** One call of a tool. */
export interface ToolCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  /** Scopes of the access token; undefined where none are needed. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Aborted when the client has disconnected or cancelled. */
  readonly signal: AbortSignal;
  /** Address under which the server is reached, without `/mcp` and trailing slash. */
  readonly base: string;
  /** Reports progress in percent; a client that did not ask for it gets nothing. */
  progress(percent: number, message: string): Promise<void>;
}

/** A part of an answer for the model. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** The answer of a tool. */
export interface ToolAnswer {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly definition: ToolDefinition;
  readonly scope: ToolScope;
  /** Rejects with a coded error, whose pointers lead into the arguments. */
  call(call: ToolCall): Promise<ToolAnswer>;
}

/** The tools of one caller, by name, in the order in which they are listed. */
export type ToolSet = ReadonlyMap<string, Tool>;
