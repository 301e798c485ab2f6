import { isQuireError, QuireError } from '@quire/registry';
import { nearestName } from '../../settings/index.js';
import { refuseFaults } from './arguments.js';
import { ownTool } from './own-tool.js';
import { searchTools, type Searchable } from './search-tools.js';
import type { Tool, ToolCall, ToolSet } from './tool.js';

const MOST_FOUND = 20;
const USUAL_FOUND = 8;

interface FoundTools {
  readonly tools: ToolSet;
  readonly searchable: readonly Searchable[];
  /** Why the caller may not use another tool; undefined if there is no such tool. */
  whyNot(name: string): Promise<string | undefined>;
}

/**
 * Three tools in place of one for each operation, for clients that load the whole list into the model: search,
 * describe, run. `find` returns the operations that this caller may use.
 */
export function smallProfile(find: (call: ToolCall) => Promise<FoundTools>): Tool[] {
  return [search(find), describe(find), run(find)].map(ownTool);
}

type Find = Parameters<typeof smallProfile>[0];
type Spec = Parameters<typeof ownTool>[0];

function search(find: Find): Spec {
  return {
    name: 'search_tools',
    title: 'Find tools',
    description:
      'Finds tools that create, convert, change, sign, check or read documents, by words such as "rotate", "docx to ' +
      'pdf" or "password". Returns their names; describe_tool tells their arguments.',
    scope: 'mcp.tools.read',
    readOnly: true,
    schema: (joi) =>
      joi.object({
        query: joi.string().max(200).required().description('What to do with the document'),
        limit: joi.number().integer().min(1).max(MOST_FOUND).default(USUAL_FOUND),
      }),
    async call(call) {
      const { searchable } = await find(call);
      const found = searchTools(searchable, String(call.arguments['query']), Number(call.arguments['limit']));
      const lines = found.map(({ name, summary }) => `${name}: ${summary}`);
      const text = lines.length === 0 ? 'No tool fits; try other words.' : lines.join('\n');
      return { content: [{ type: 'text', text }], structuredContent: { tools: found } };
    },
  };
}

function describe(find: Find): Spec {
  return {
    name: 'describe_tool',
    title: 'Describe a tool',
    description: 'Returns the description, the arguments (JSON Schema) and the annotations of a tool.',
    scope: 'mcp.tools.read',
    readOnly: true,
    schema: (joi) => joi.object({ name: joi.string().max(100).required().description('From search_tools') }),
    async call(call) {
      const { definition } = await wanted(await find(call), call);
      return { content: [{ type: 'text', text: JSON.stringify(definition) }], structuredContent: { ...definition } };
    },
  };
}

function run(find: Find): Spec {
  return {
    name: 'run_tool',
    title: 'Run a tool',
    description:
      'Runs a tool on files that are named by fileId (create_upload makes one). Results are new files, each with ' +
      'fileId and link.',
    scope: 'mcp.tools.write',
    readOnly: false,
    schema: (joi) =>
      joi.object({
        name: joi.string().max(100).required().description('From search_tools'),
        arguments: joi.object().unknown().default({}).meta({ json: true }).description('As describe_tool shows them'),
      }),
    async call(call) {
      const tool = await wanted(await find(call), call);
      try {
        return await tool.call({ ...call, arguments: call.arguments['arguments'] as ToolCall['arguments'] });
      } catch (error) {
        throw isQuireError(error) ? inArguments(error) : error;
      }
    },
  };
}

/** The error with pointers into the arguments of `run_tool`. */
function inArguments({ code, data, errors, cause }: QuireError): QuireError {
  const faults = errors.map(({ pointer, detail }) => ({ pointer: `/arguments${pointer}`, detail }));
  return new QuireError(code, data, faults, { cause });
}

/** The tool that the call names. Throws INPUT_INVALID. */
async function wanted({ tools, whyNot }: FoundTools, { arguments: { name } }: ToolCall): Promise<Tool> {
  const tool = tools.get(String(name));
  if (tool !== undefined) return tool;
  const reason = await whyNot(String(name));
  if (reason !== undefined)
    refuseFaults([{ pointer: '/name', detail: `${String(name)} is not allowed for this caller. ${reason}` }]);
  const near = nearestName(String(name), tools.keys());
  const hint = near === undefined ? 'search_tools finds the names' : `did you mean ${near}?`;
  refuseFaults([{ pointer: '/name', detail: `there is no tool ${JSON.stringify(String(name))}; ${hint}` }]);
  throw new Error('a fault was not refused');
}
