/** A form of these fields, for endpoints that take no JSON; undefined ones are left out. */
export function formData(fields: Readonly<Record<string, string | number | boolean | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  return form;
}
