/** A schema, or anything that holds schemas. */
interface Shown {
  [member: string]: unknown;
}

interface Body {
  content?: Record<string, { schema?: { properties?: Record<string, Shown>; required?: readonly string[] } }>;
}

/**
 * Puts examples of values where they help whoever tries a call in Swagger UI, which sends every example and default
 * that it finds: in JSON bodies and answers all stay; in forms and parameters those of needed values stay, and the
 * others, which would be sent in place of nothing or of a default, become words of the description. Ids are no
 * examples: nobody's job has them. Extensions of the generator's own are left out.
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
  // Swagger UI fills text fields that have neither default nor example with the word "string", and objects with made-up
  // members, and would send them.
  if (['default', 'example', 'enum', 'format'].some((member) => member in property)) return;
  if (property['type'] === 'string') {
    property['example'] = '';
    // Of a form field that need not be sent, an empty one counts as none.
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
    if (name.startsWith('x-')) delete (part as Shown)[name];
    else if (typeof inner === 'object' && inner !== null) leaveOutExtensions(inner as object);
  }
}
