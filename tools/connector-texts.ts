import { createTestServer } from '@quire/core';
import type { ConsoleCatalog, ShownField } from '@quire/registry';

interface Kind {
  readonly title: string;
  readonly help: string;
  readonly fields: readonly ShownField[];
}

/** What facts, and kinds of sources and destinations declare for people, asked from a server. */
export async function connectorTexts(): Promise<readonly string[]> {
  const server = await createTestServer({ plugins: [] });
  try {
    const api = `${await server.start()}/api/v1`;
    const answer = await fetch(`${api}/automations/kinds`);
    const { facts } = (await (await fetch(`${api}/console/catalog`)).json()) as Pick<ConsoleCatalog, 'facts'>;
    const kinds = (await answer.json()) as Readonly<Record<'sources' | 'destinations', readonly Kind[]>>;
    const texts = [...kinds.sources, ...kinds.destinations].flatMap(({ title, help, fields }) => [
      title,
      help,
      ...fields.flatMap(textsOf),
    ]);
    const titles = facts.map(({ title }) => title);
    return [...new Set([...texts, ...titles])].filter((text) => text !== '').sort();
  } finally {
    await server.stop();
  }
}

function textsOf({ label, help = '', values = [] }: ShownField): string[] {
  return [label, help, ...values.map((value) => value.label)];
}
