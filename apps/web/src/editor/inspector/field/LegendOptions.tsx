import { isMeasure, type FieldEncoding, type MeasureEncoding } from '@belvedere/document';
import { Checkbox, TextField } from '@belvedere/ui';
import { words } from '../../messages/words.ts';
import { changed } from './changed-encoding.ts';

interface LegendOptionsProps {
  readonly encoding: FieldEncoding | MeasureEncoding;
  readonly onChange: (encoding: FieldEncoding | MeasureEncoding, joins?: string) => void;
}

/** Whether the colours are named, and, of a field's, under which title. */
export function LegendOptions({ encoding, onChange }: LegendOptionsProps) {
  const { legend } = encoding;
  return (
    <>
      <Checkbox
        isSelected={legend !== false}
        onChange={isShown => onChange(changed(encoding, 'legend', isShown ? undefined : false))}
      >
        {words.field.legend}
      </Checkbox>
      {legend === false || isMeasure(encoding) ? null : (
        <TextField
          label={words.field.legendTitle}
          value={legend?.title ?? ''}
          onChange={title =>
            onChange(changed(encoding, 'legend', title === '' ? undefined : { title }), 'legend title')
          }
        />
      )}
    </>
  );
}
