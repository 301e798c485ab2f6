import type { OpenApiDocument } from './complete-document.js';
import { withoutLinks } from './without-disabled.js';

/** The documents that Swagger UI offers: tools first, and everything else. */
export const documentParts = {
  tools: 'Tools and pipelines',
  administration: 'Accounts and administration',
} as const;
export type DocumentPart = keyof typeof documentParts;

/**
 * Returns a part of the document: calls whose tag is one of the tools', or all others, with the components that they
 * use. `tools`: names of tags.
 */
export function partOf(whole: OpenApiDocument, part: DocumentPart, tools: ReadonlySet<string>): OpenApiDocument {
  const wanted = (tags: unknown): boolean => {
    const isTool = ((tags as string[] | undefined) ?? []).some((tag) => tools.has(tag));
    return isTool === (part === 'tools');
  };
  const kept = Object.entries(whole.paths).flatMap(([path, methods]) => {
    const left = Object.entries(methods).filter(([, { tags }]) => wanted(tags));
    return left.length === 0 ? [] : [[path, left] as const];
  });
  const ids = new Set(kept.flatMap(([, methods]) => methods.map(([, { operationId }]) => operationId)));
  const paths = Object.fromEntries(
    kept.map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map(([method, described]) => [method, withoutLinks(described, ids)])),
    ]),
  );
  return {
    ...whole,
    info: { ...(whole['info'] as object), title: `Quire: ${documentParts[part].toLowerCase()}` },
    paths,
    components: usedComponents(paths, whole.components),
    tags: (whole.tags ?? []).filter(({ name }) => wanted([name])),
  };
}

/** The components that the paths refer to, directly or by other components. Security schemes are named otherwise. */
export function usedComponents(
  paths: object,
  components: OpenApiDocument['components'],
): OpenApiDocument['components'] {
  const used = new Map<string, Set<string>>();
  const follow = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      const names = used.get(kind) ?? new Set();
      used.set(kind, names);
      if (names.has(name)) continue;
      names.add(name);
      const found = (components as Readonly<Record<string, Record<string, unknown> | undefined>>)[kind]?.[name];
      if (found !== undefined) follow(found);
    }
  };
  follow(paths);
  const entries = Object.entries(components).map(([kind, all]) => {
    if (kind === 'securitySchemes') return [kind, all] as const;
    const names = used.get(kind) ?? new Set();
    return [kind, Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => names.has(name)))] as const;
  });
  return Object.fromEntries(entries) as OpenApiDocument['components'];
}
