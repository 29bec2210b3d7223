import { functions } from '@belvedere/model';
import type { TextCompletion } from '@belvedere/ui';
import { inExpression } from './in-expression.ts';
import type { SchemaColumn } from '../model-editing.ts';

const maxCompletions = 8;

/**
 * What may complete the word before the caret: columns of the table that begin like it, functions, columns of
 * joined tables, then what contains it. Undefined within a text, and where nothing fits or the word is complete.
 */
export function expressionCompletion(
  text: string,
  caret: number,
  columns: readonly SchemaColumn[],
  label: string,
): TextCompletion | undefined {
  const before = text.slice(0, caret);
  if (before.replaceAll("''", '').split("'").length % 2 === 0) return undefined;
  const word = /(?:"[^"]*|[\p{L}_][\p{L}\p{N}_.]*)$/u.exec(before)?.[0];
  if (word === undefined) return undefined;
  const wanted = word.replace(/^"/, '').toLowerCase();
  const rankOf = (name: string, ifBegun: number) =>
    name.toLowerCase().startsWith(wanted)
      ? ifBegun
      : name
            .slice(name.lastIndexOf('.') + 1)
            .toLowerCase()
            .startsWith(wanted)
        ? 2
        : name.toLowerCase().includes(wanted)
          ? 3
          : undefined;
  const ranked = [
    ...columns.map(({ name, type }) => ({
      option: { id: `c:${name}`, label: name, detail: type },
      rank: rankOf(name, name.includes('.') ? 2 : 0),
    })),
    ...(word.startsWith('"') ? [] : Object.entries(functions)).map(([name, { call }]) => ({
      option: { id: `f:${name}`, label: name, detail: call },
      rank: rankOf(name, 1),
    })),
  ];
  const options = [0, 1, 2, 3]
    .flatMap(rank => ranked.filter(found => found.rank === rank))
    .slice(0, maxCompletions)
    .map(({ option }) => option);
  if (options.length === 0 || options[0]!.label === word) return undefined;
  const at = caret - word.length;
  return {
    at,
    label,
    options,
    apply: id => {
      const name = id.slice(2);
      const rest = text.slice(caret).replace(word.startsWith('"') ? /^"/ : /^(?!)/, '');
      const isCall = id.startsWith('f:') && !rest.startsWith('(');
      const inserted = isCall ? `${name}()` : id.startsWith('f:') ? name : inExpression(name);
      const start = text.slice(0, at) + inserted;
      return { text: start + rest, caret: start.length - (isCall ? 1 : 0) };
    },
  };
}
