import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** An item of a workflow. */
export interface Item {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary?: Readonly<Record<string, Binary>>;
}

/** A file of an item; n8n keeps the bytes elsewhere. */
export interface Binary {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** The parts of a node that n8n calls. */
export interface LoadedNode {
  readonly description: { readonly properties: readonly { readonly name: string }[] };
  execute(this: object): Promise<Item[][]>;
  webhook(this: object): Promise<{ workflowData?: Item[][]; noWebhookResponse?: boolean; webhookResponse?: unknown }>;
}

/** Loads a node as n8n does, with a stand-in for n8n-workflow, which is not installed here (ADR 0069). */
export function loadNode(name: 'Quire' | 'QuireTrigger'): LoadedNode {
  const standIn = new URL('./n8n-workflow.cts', import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'n8n-workflow' ? standIn : specifier, context),
  });
  try {
    const path = fileURLToPath(new URL(`../nodes/${name}/${name}.node.ts`, import.meta.url));
    const module = createRequire(import.meta.url)(path) as Readonly<Record<string, new () => LoadedNode>>;
    const Node = module[name];
    if (Node === undefined) throw new Error(`${path} has no class ${name}`);
    return new Node();
  } finally {
    hooks.deregister();
  }
}
