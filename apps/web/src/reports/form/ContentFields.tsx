import { Checkbox } from '@belvedere/ui';
import { words } from '../messages/words.ts';

const formats = ['pdf', 'xlsx', 'csv'] as const;
type Format = (typeof formats)[number];

export interface Contents {
  readonly pictures: boolean;
  readonly attach: readonly Format[];
}

interface ContentFieldsProps extends Contents {
  /** Whether this user may export the dashboard's data. */
  readonly mayExport: boolean;
  readonly onChange: (contents: Contents) => void;
}

/** What a report's mail contains. */
export function ContentFields({ pictures, attach, mayExport, onChange }: ContentFieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="pb-1 text-12 font-medium text-text-2">{words.contents.title}</legend>
      <div className="flex flex-wrap gap-x-3">
        <Checkbox isSelected={pictures} onChange={isOn => onChange({ pictures: isOn, attach })}>
          {words.contents.pictures}
        </Checkbox>
        {formats.map(format => (
          <Checkbox
            key={format}
            isSelected={attach.includes(format)}
            isDisabled={!mayExport && format !== 'pdf'}
            onChange={isOn =>
              onChange({
                pictures,
                attach: formats.filter(one => (one === format ? isOn : attach.includes(one))),
              })
            }
          >
            {words.contents[format]}
          </Checkbox>
        ))}
      </div>
      {mayExport ? null : <p className="pt-1 text-12 text-text-2">{words.contents.needsExport}</p>}
    </fieldset>
  );
}
