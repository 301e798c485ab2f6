import { expect } from 'chai';
import type { AutomationStage, TestEngine } from './automation-harness.js';
import { contextForTest } from './connectors.js';

/** Small files of the automation `one`, which share jobs. */
export class SmallFiles {
  constructor(private readonly on: AutomationStage) {}

  /** Puts so many into the source; returns their names. */
  put(count: number): string[] {
    const names = Array.from({ length: count }, (_, n) => `${String(n).padStart(2, '0')}.pdf`);
    for (const name of names) this.on.box.put(name, `text of ${name}`);
    return names;
  }

  /** As `put`, and lists them: the next engine finds all of them waiting. */
  async putListed(count: number): Promise<string[]> {
    const names = this.put(count);
    const { box, items } = this.on;
    const source = await box.kind().open({}, contextForTest());
    const now = Date.now();
    const at = { automationId: 'one', sourceId: 'box', trigger: 'manual', begun: now, now } as const;
    for await (const file of source.list()) await items.found(undefined, file, at);
    return names;
  }

  /** Starts the work on what is in the source, without waiting for its end. */
  async begin({ engine }: Pick<TestEngine, 'engine'>): Promise<void> {
    await engine.trigger((await this.on.automations.get('one')) ?? expect.fail('there is no automation'));
  }

  /** Expects that exactly these were delivered, once each. */
  expectDelivered(names: readonly string[]): void {
    expect([...this.on.shelf.delivered.values()].map(({ name, bytes }) => `${name}: ${bytes}`)).to.have.members(
      names.map((name) => `${name}: ${`text of ${name}`.toUpperCase()}`),
    );
  }
}
