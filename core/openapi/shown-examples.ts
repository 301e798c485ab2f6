/** A schema, or anything that contains schemas. */
interface Shown {
  [member: string]: unknown;
}

interface Body {
  content?: Record<string, { schema?: { properties?: Record<string, Shown>; required?: readonly string[] } }>;
}

/**
 * Keeps examples of values where they help users of Swagger UI, which sends every example and default that it finds. In
 * JSON bodies and answers all stay. In forms and parameters only examples of required values stay; others would be sent
 * instead of nothing or of a default, so they become part of the description. Ids have no examples, because nobody has
 * a job with such an id. The generator's own extensions are removed.
 */
export function showExamples(document: {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object> };
}): void {
  leaveOutExtensions(document.components.schemas);
  leaveOutExtensions(document.paths);
  for (const call of Object.values(document.paths).flatMap((methods) => Object.values(methods)) as {
    parameters?: Shown[];
    requestBody?: Body;
  }[]) {
    for (const parameter of call.parameters ?? []) {
      const schema = parameter['schema'] as Shown | undefined;
      if (schema === undefined || !('example' in schema)) continue;
      if (parameter['required'] === true && !/(?:id|token|filename)$/i.test(String(parameter['name']))) continue;
      tell(parameter, schema['example']);
      delete schema['example'];
    }
    for (const [type, { schema }] of Object.entries(call.requestBody?.content ?? {})) {
      if (type !== 'application/json')
        for (const [name, property] of Object.entries(schema?.properties ?? {}))
          showInForm(property, schema?.required?.includes(name) === true);
    }
  }
}

function showInForm(property: Shown, needed: boolean): void {
  if ('example' in property && (!needed || 'default' in property)) {
    tell(property, property['example']);
    delete property['example'];
  }
  // Swagger UI fills text fields without a default or example with the word "string", and objects with made-up members,
  // and would send them.
  if (['default', 'example', 'enum', 'format'].some((member) => member in property)) return;
  if (property['type'] === 'string') {
    property['example'] = '';
    // An empty value of an optional form field counts as not sent.
    if (!needed && typeof property['pattern'] === 'string' && !new RegExp(property['pattern'], 'u').test(''))
      property['pattern'] = `^$|${property['pattern']}`;
  }
  if (property['type'] === 'object') property['example'] = {};
}

function tell(described: Shown, example: unknown): void {
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  described['description'] = `${String(described['description'] ?? '')}. Example: \`${text}\``.replace(/^\. /, '');
}

function leaveOutExtensions(part: object): void {
  for (const [name, inner] of Object.entries(part)) {
    if (name.startsWith('x-') && name !== 'x-contentSchema') delete (part as Shown)[name];
    else if (typeof inner === 'object' && inner !== null) leaveOutExtensions(inner as object);
  }
}
