import { InlineSelect } from '@belvedere/ui';
import { words } from '../../editor/messages/words.ts';

/** How a field's values are written. Lists a format that only the text can name, too. */
export function FormatField({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (format: string) => void;
}) {
  const formats = { ...words.field.formats, '': words.model.byType };
  return (
    <InlineSelect
      label={words.field.format}
      value={value ?? ''}
      options={[
        ...Object.entries(formats).map(([format, label]) => ({ value: format, label })),
        ...(value !== undefined && !(value in formats) ? [{ value, label: value }] : []),
      ]}
      onChange={onChange}
    />
  );
}
