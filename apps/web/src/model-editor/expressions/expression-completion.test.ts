import { describe, expect, test } from 'vitest';
import { expressionCompletion } from './expression-completion.ts';

const columns = [
  { name: 'quantity', type: 'integer' },
  { name: 'Unit Price', type: 'decimal' },
  { name: 'customers.country', type: 'text' },
];
/** Completes at the `|` of a text. */
const at = (marked: string) =>
  expressionCompletion(marked.replace('|', ''), marked.indexOf('|'), columns, 'Names');
const offered = (marked: string) => at(marked)?.options.map(option => option.label);
const applied = (marked: string, id: string) => {
  const { text, caret } = at(marked)!.apply(id);
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
};

describe('the completion of an expression', () => {
  test('offers own columns, then functions, then columns of joined tables', () => {
    expect(offered('qu|')?.[0]).toBe('quantity');
    expect(offered('coun|')).toEqual(['count', 'count_if', 'customers.country']);
  });

  test.each(["'qu|", "quantity = 'it''s qu|", '1 + |', 'quantity|', 'zzz|'])('offers nothing at %s', text => {
    expect(offered(text)).toBeUndefined();
  });

  test.each([
    ['su|', 'f:sum', 'sum(|)'],
    ['su|(quantity)', 'f:sum', 'sum|(quantity)'],
    ['sum(qu|) / 2', 'c:quantity', 'sum(quantity|) / 2'],
    ['sum(uni|)', 'c:Unit Price', 'sum("Unit Price"|)'],
    ['sum("Uni|")', 'c:Unit Price', 'sum("Unit Price"|)'],
    ['customers.c|', 'c:customers.country', 'customers.country|'],
  ])('in %s, %s gives %s', (text, id, result) => {
    expect(applied(text, id)).toBe(result);
  });
});
