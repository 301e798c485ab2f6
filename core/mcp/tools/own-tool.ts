import Joi from 'joi';
import { showFields } from '@quire/catalog';
import { faultsOf } from '../../operations/runner/index.js';
import { refuseFaults, unknownArgument } from './arguments.js';
import { inputSchema } from './input-schema.js';
import type { Tool, ToolAnswer, ToolCall, ToolScope } from './tool.js';

/** A tool that is not an operation. */
export interface OwnToolSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: ToolScope;
  readonly readOnly: boolean;
  readonly schema: (joi: Joi.Root) => Joi.ObjectSchema;
  /** Receives arguments that its schema accepts, with their defaults. */
  call(call: ToolCall): Promise<ToolAnswer>;
}

/** Creates a tool that checks its arguments; INPUT_INVALID has a pointer to each fault. */
export function ownTool(spec: OwnToolSpec): Tool {
  const schema = spec.schema(Joi);
  const fields = showFields({}, schema);
  return {
    scope: spec.scope,
    definition: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      inputSchema: inputSchema({ parts: [], fields }),
      annotations: { readOnlyHint: spec.readOnly, destructiveHint: false, openWorldHint: false },
    },
    call: (call) => {
      const known = new Set(fields.map(({ name }) => name));
      const { value, error } = schema.validate(call.arguments, {
        abortEarly: false,
        stripUnknown: true,
        errors: { wrap: { label: false } },
      });
      const unknown = Object.keys(call.arguments)
        .filter((name) => !known.has(name))
        .map((name) => unknownArgument(name, known));
      refuseFaults([...faultsOf(error), ...unknown]);
      return spec.call({ ...call, arguments: value as Readonly<Record<string, unknown>> });
    },
  };
}
