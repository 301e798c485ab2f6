// What the nodes import from n8n-workflow when they run. verification/n8n runs them in n8n itself.

interface ErrorOptions {
  readonly message?: string;
  readonly description?: string;
  readonly httpCode?: string;
  readonly itemIndex?: number;
}

class NodeError extends Error {
  readonly context: Record<string, unknown> = {};
  readonly description: string | undefined;
  readonly httpCode: string | undefined;

  constructor(_node: unknown, cause: unknown, options: ErrorOptions = {}) {
    super(options.message ?? (cause instanceof Error ? cause.message : String(cause)));
    this.description = options.description;
    this.httpCode = options.httpCode;
  }
}

class NodeApiError extends NodeError {
  constructor(node: unknown, cause: unknown, options?: ErrorOptions) {
    super(node, cause, options);
    // As in n8n: an error of this class stays the same error.
    if (cause instanceof NodeApiError) return cause;
  }
}

class NodeOperationError extends NodeError {}

module.exports = { NodeApiError, NodeOperationError, NodeConnectionTypes: { Main: 'main' } };
