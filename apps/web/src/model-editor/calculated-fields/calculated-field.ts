import { editText, freeName, labelFrom, readDocument, type ModelFile } from '@belvedere/document';
import { functions, parseExpression, partsOf, type Expression } from '@belvedere/model';

/** A field that is computed from an expression, as its author gives it. */
export interface CalculatedField {
  readonly label: string;
  readonly expr: string;
  readonly format: string;
}

export interface AddedField {
  readonly section: 'dimensions' | 'measures';
  readonly name: string;
  /** The model's text with the field. */
  readonly text: string;
}

/**
 * Adds a field to a model's text: a measure where its expression aggregates, else a dimension. Its name follows
 * from its label, and no other field has it.
 */
export function withCalculatedField(modelText: string, field: CalculatedField): AddedField {
  const section = aggregates(field.expr) ? 'measures' : 'dimensions';
  const model = modelOf(modelText);
  const taken = new Set([
    ...Object.keys(model.dimensions ?? {}),
    ...Object.keys(model.measures ?? {}),
    'rows',
  ]);
  const label = field.label.trim();
  const name = freeName(label, taken);
  const value = {
    ...(labelFrom(name) !== label && { label }),
    expr: field.expr.trim(),
    ...(field.format !== '' && { format: field.format }),
  };
  return { section, name, text: editText(modelText, [{ kind: 'set', path: [section, name], value }]) };
}

/** Whether one of the model's fields is called so already. */
export function isLabelTaken(modelText: string, label: string): boolean {
  const { dimensions = {}, measures = {} } = modelOf(modelText);
  return [...Object.entries(dimensions), ...Object.entries(measures)].some(
    ([name, field]) => (field.label ?? labelFrom(name)).toLowerCase() === label.trim().toLowerCase(),
  );
}

/** The model of a text; one without fields if the text has errors. */
export function modelOf(text: string): ModelFile {
  const read = readDocument('model', text, 'model.yaml');
  return read.ok ? read.value : { version: 1, table: '' };
}

function aggregates(expr: string): boolean {
  const within = (part: Expression): boolean =>
    (part.kind === 'call' && functions[part.name]?.aggregate === true) || partsOf(part).some(within);
  try {
    return within(parseExpression(expr));
  } catch {
    return false;
  }
}
