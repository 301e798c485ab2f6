import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow';
import { jobOperation } from './job';
import { nodeProperties } from './properties';
import { callOf, runOperation, takesAllItems } from './run-operation';

/** Runs the operations of a Quire server. */
export class Quire implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Quire',
    name: 'quire',
    icon: { light: 'file:quire.svg', dark: 'file:quire.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Merge, convert, compress, sign and read PDFs and documents with a Quire server',
    defaults: { name: 'Quire' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'quireApi', required: true }],
    properties: nodeProperties,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const count = this.getInputData().length;
    const operation = this.getNodeParameter('operation', 0) as string;
    const call = this.getNodeParameter('resource', 0) === 'job' ? undefined : callOf(operation);
    const all = Array.from({ length: count }, (_, item) => item);
    const [first, ...rest] = all;
    if (first === undefined) return [[]];
    const groups: [number, ...number[]][] =
      call !== undefined && takesAllItems(this, call) ? [[first, ...rest]] : all.map((item) => [item]);
    const results: INodeExecutionData[] = [];
    for (const group of groups) {
      try {
        if (this.getNodeParameter('resource', group[0]) === 'job')
          results.push(await jobOperation(this, group[0], operation));
        else if (call === undefined)
          throw new NodeOperationError(this.getNode(), `Unknown operation "${operation}"`, { itemIndex: group[0] });
        else results.push(...(await runOperation(this, group, call)));
      } catch (error) {
        if (!this.continueOnFail()) {
          if (error instanceof NodeApiError) throw new NodeApiError(this.getNode(), error as unknown as JsonObject);
          throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: group[0] });
        }
        results.push({ json: failureOf(error), pairedItem: group.map((item) => ({ item })) });
      }
    }
    return [results];
  }
}

/** An error as data, for workflows that continue after it. */
function failureOf(error: unknown): IDataObject {
  const problem = error instanceof NodeApiError ? (error.context.problem as IDataObject | undefined) : undefined;
  return { error: error instanceof Error ? error.message : String(error), ...problem };
}
