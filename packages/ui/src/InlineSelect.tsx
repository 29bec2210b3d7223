import { useId } from 'react';
import { Select, type SelectProps } from './Select.tsx';

/** A select of a few options, below its label. */
export function InlineSelect(props: Pick<SelectProps, 'label' | 'value' | 'options' | 'onChange'>) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={id} className="text-12 text-text-2">
        {props.label}
      </span>
      <Select {...props} labelledBy={id} />
    </div>
  );
}
