import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers stand at the end of the cell. */
  readonly number?: boolean;
  /** The label is read aloud only: a column of buttons. */
  readonly quiet?: boolean;
}

interface TableProps<T> {
  /** Says what the table lists; read aloud. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Shown instead of an empty table. */
  readonly empty?: ComponentChildren;
}

/** A table; on narrow pages each row becomes a block with the labels beside the values. */
export function Table<T>({ label, columns, rows, rowKey, empty }: TableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <caption class="hidden-visually">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" class={column.number === true ? 'number' : ''}>
                {column.quiet === true ? <span class="hidden-visually">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  class={column.number === true ? 'number' : ''}
                  data-label={column.quiet === true ? undefined : column.label}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
