import { batch, signal } from '@preact/signals';
import { branchTitle, stepTitle } from '../model/branches.ts';
import type { StepJson } from '../model/definition.ts';
import type { Pipeline } from '../model/pipeline.ts';
import type { Step, StepList } from '../model/step.ts';
import { t } from '../texts.ts';

/** A place for a step: before the one that is there now. */
export interface StepPlace {
  readonly list: StepList;
  readonly at: number;
}

/** What somebody does with the steps of a pipeline, in all its branches. */
export class BuilderView {
  readonly dragged = signal<Step | undefined>(undefined);
  /** Where a dragged step of another list would go. */
  readonly target = signal<StepPlace | undefined>(undefined);
  /** Where the step goes that is being chosen. */
  readonly adding = signal<StepPlace | undefined>(undefined);
  /** Gets the focus when it is drawn; `field`: its first field. */
  readonly wanted = signal<{ readonly step: Step; readonly field: boolean } | undefined>(undefined);
  /** What has happened, for screen readers. */
  readonly said = signal('');

  constructor(readonly pipeline: Pipeline) {}

  add(read: StepJson, { list, at }: StepPlace): void {
    batch(() => {
      this.adding.value = undefined;
      this.wanted.value = { step: this.pipeline.add(read, list, at), field: true };
    });
  }

  moveTo(step: Step, { list, at }: StepPlace): void {
    const wasIn = this.pipeline.listWith(step);
    this.pipeline.move(step, list, at);
    if (wasIn !== list) this.wanted.value = { step, field: false };
    this.said.value = this.#placeWords(step, list);
  }

  /** Moves a step up or down in the order in which steps are shown: also into open branches, and out of them. */
  moveBy(step: Step, by: 1 | -1): void {
    const place = this.placeBeside(step, by);
    if (place !== undefined) this.moveTo(step, place);
  }

  /** Undefined for the first and the last place of all. */
  placeBeside(step: Step, by: 1 | -1): StepPlace | undefined {
    const list = this.pipeline.listWith(step);
    if (list === undefined) return undefined;
    const steps = list.steps.value;
    const at = steps.indexOf(step);
    const beside = steps[at + by];
    if (beside === undefined) return this.#outOf(list, by);
    const inner = beside.open.value ? beside.branches.value.at(by > 0 ? 0 : -1) : undefined;
    if (inner === undefined) return { list, at: at + by };
    return { list: inner, at: by > 0 ? 0 : inner.steps.value.length };
  }

  /** Into the branch beside, or before or after the step with the branches. */
  #outOf(list: StepList, by: 1 | -1): StepPlace | undefined {
    const owner = this.pipeline.ownerOf(list);
    if (owner === undefined) return undefined;
    const branch = owner.branches.value[owner.branches.value.indexOf(list) + by];
    if (branch !== undefined) return { list: branch, at: by > 0 ? 0 : branch.steps.value.length };
    const outer = this.pipeline.listWith(owner);
    if (outer === undefined) return undefined;
    return { list: outer, at: outer.steps.value.indexOf(owner) + (by > 0 ? 1 : 0) };
  }

  #placeWords(step: Step, list: StepList): string {
    const words = {
      step: stepTitle(step.toJson()),
      number: list.steps.value.indexOf(step) + 1,
      total: list.steps.value.length,
    };
    const owner = this.pipeline.ownerOf(list);
    if (owner === undefined) return t('{step} is now step {number} of {total}', words);
    const branch = branchTitle(owner, owner.branches.value.indexOf(list));
    return t('{step} is now step {number} of {total} in “{branch}”', { ...words, branch });
  }
}

/** A list of steps as it is shown: the whole pipeline, or a branch. */
export interface StepListViewProps {
  readonly view: BuilderView;
  readonly list: StepList;
  /** Number of the step and branch around it, such as `2.1`; empty for the steps of the pipeline. */
  readonly place: string;
  /** What the list is called, if it is a branch. */
  readonly label?: string;
}
