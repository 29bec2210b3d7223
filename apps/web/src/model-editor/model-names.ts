import { functions } from '@belvedere/model';
import type { Names } from '../editor/text-view/yaml-editor.ts';
import type { ModelEditing } from './model-editing.ts';

/** The names a model's text may use: tables, columns, functions. */
export function namesInModel({ editor, tables, own, columns, sources }: ModelEditing): Names {
  const asColumns = (list: readonly { readonly name: string; readonly type: string }[]) =>
    list.map(({ name, type }) => ({ label: name, detail: type, type: 'variable', boost: 1 }));
  return {
    offered: (wanted, path) => {
      switch (wanted) {
        case 'table':
          return tables.map(({ name }) => ({ label: name, type: 'class' }));
        case 'source':
          return ['files', ...sources].map(label => ({ label, type: 'class' }));
        case 'dimension':
          return Object.keys(editor.state.document.dimensions ?? {}).map(label => ({
            label,
            type: 'variable',
          }));
        case 'column':
          return asColumns(
            path.length === 1
              ? own
              : path[0] === 'joins'
                ? columns.filter(column => !column.name.startsWith(`${String(path[1])}.`))
                : columns,
          );
        case 'joined column': {
          const table = editor.state.document.joins?.[String(path[1])]?.table;
          return asColumns(tables.find(one => one.name === table)?.columns ?? []);
        }
        case 'expression':
          return [
            ...asColumns(columns),
            ...Object.entries(functions).map(([label, { call }]) => ({
              label,
              detail: call,
              type: 'function',
            })),
          ];
        default:
          return [];
      }
    },
    describe: word => {
      const column = columns.find(({ name }) => name === word);
      if (column) return `${column.name} · ${column.type}`;
      return Object.hasOwn(functions, word) ? `${word}: ${functions[word]!.says}` : undefined;
    },
  };
}
