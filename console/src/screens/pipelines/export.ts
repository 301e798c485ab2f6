import { saveFile } from '../../files/index.ts';
import { fileNameFor, textOf, type PipelineJson } from './model/definition.ts';

/** Saves a definition as a file. */
export function exportPipeline(json: PipelineJson, name: string): void {
  saveFile(new Blob([textOf(json)], { type: 'application/json' }), fileNameFor(name));
}
