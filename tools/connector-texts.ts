import { createTestServer } from '@quire/core';
import type { ShownField } from '@quire/registry';

interface Kind {
  readonly title: string;
  readonly help: string;
  readonly fields: readonly ShownField[];
}

/** What the kinds of sources and destinations of automations declare for people, asked from a server. */
export async function connectorTexts(): Promise<readonly string[]> {
  const server = await createTestServer({ plugins: [] });
  try {
    const answer = await fetch(`${await server.start()}/api/v1/automations/kinds`);
    const kinds = (await answer.json()) as Readonly<Record<'sources' | 'destinations', readonly Kind[]>>;
    const texts = [...kinds.sources, ...kinds.destinations].flatMap(({ title, help, fields }) => [
      title,
      help,
      ...fields.flatMap(textsOf),
    ]);
    return [...new Set(texts)].filter((text) => text !== '').sort();
  } finally {
    await server.stop();
  }
}

function textsOf({ label, help = '', values = [] }: ShownField): string[] {
  return [label, help, ...values.map((value) => value.label)];
}
