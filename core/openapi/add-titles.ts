import { showOperation, type CatalogOperation } from '@quire/catalog';

interface DescribedOperation {
  readonly requestBody?: {
    readonly content: Record<string, { schema?: { properties?: Record<string, Record<string, unknown>> } }>;
  };
  [member: string]: unknown;
}

/** Adds what people see in the console: labels as the titles of form fields, and the title of the operation. */
export function addTitles(described: DescribedOperation, entry: CatalogOperation): void {
  const { title, fields, parts } = showOperation(entry, () => undefined);
  described['x-title'] = title;
  const properties = described.requestBody?.content['multipart/form-data']?.schema?.properties ?? {};
  const labels = [...fields, ...parts.map(({ field, label }) => ({ name: field, label }))];
  for (const { name, label } of labels) {
    const property = properties[name];
    // Generators of clients name the classes of objects after their titles.
    if (property !== undefined && property['type'] !== 'object') property['title'] = label;
  }
}
