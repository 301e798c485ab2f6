/** One check of the conformance suite. */
export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/**
 * Whether a check fails only because the suite asks for something that it expects of a test server: tools with fixed
 * names, prompts, resources, tasks or header annotations.
 */
export function foreignFault({ id, errorMessage = '' }: Check): boolean {
  const reasons =
    /^(Failed: )?(MCP error -3260[12]: |JSON-RPC error: )?(Unknown tool: |Method not found)|^Not testable: |returned JSON-RPC error -32601|^Tool '\w+' not found/;
  return reasons.test(errorMessage) || /^(input-required|sep-2322|tasks?-|sep-1686|sep-2663)/.test(id);
}
