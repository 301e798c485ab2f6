import { readList, type ReadingTask } from './reading.js';
import { ListFault } from './list-fault.js';

/**
 * A process that reads lists one after the other until its parent lets go of it. Lists come from the network: what they
 * do wrong ends this process at most.
 */
process.on('message', ({ id, task }: { readonly id: number; readonly task: ReadingTask }) => {
  void readList(task).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) =>
      process.send?.({ id, fault: error instanceof ListFault ? error.message : 'the list cannot be read' }),
  );
});
process.on('disconnect', () => process.exit(0));
