import type { DashboardState, ModelSummary } from '@belvedere/api';
import { parameterText } from '@belvedere/chart';
import { labelFrom, valueOf, type Parameter, type ParameterValue } from '@belvedere/document';
import { Select } from '@belvedere/ui';
import { useEffect, useRef, useState } from 'react';
import { locale } from '../../messages/messages.ts';
import { parameterLabel } from '../tiles/describe.ts';

interface ParameterPillsProps {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly chosen: DashboardState['parameters'];
  readonly models: readonly ModelSummary[];
  readonly onParameter: (name: string, value: ParameterValue | undefined) => void;
}

/** The parameters beside the filters: a list for each, or a field for a number. */
export default function ParameterPills({ parameters, chosen, models, onParameter }: ParameterPillsProps) {
  return Object.entries(parameters).map(([name, parameter]) => {
    const label = parameter.label ?? labelFrom(name);
    const value = valueOf(parameter, chosen?.[name]);
    // The default is not written into the address.
    const set = (next: ParameterValue) =>
      onParameter(name, next === valueOf(parameter, undefined) ? undefined : next);
    return (
      <label
        key={name}
        data-parameter={name}
        className={`inline-flex h-[30px] max-w-full items-center gap-1.5 rounded-control border bg-surface ps-2.5 text-13 focus-within:outline-2 focus-within:outline-accent hover:border-border-strong pointer-coarse:h-11 ${value === valueOf(parameter, undefined) ? 'border-border' : 'border-accent/50'}`}
      >
        <span className="truncate text-text-2">{label}</span>
        {parameter.kind === 'number' ? (
          <NumberChoice label={label} parameter={parameter} value={Number(value)} onChange={set} />
        ) : (
          <Select
            look="pill"
            label={label}
            value={String(value)}
            options={parameter.options.map(option => ({
              value: option,
              label: parameterText(parameter, option, one => parameterLabel(models, one), locale),
            }))}
            onChange={set}
          />
        )}
      </label>
    );
  });
}

const settlesAfterMs = 250;

/** A typed number, with a slider if it has both ends. It applies after a pause. */
function NumberChoice({
  label,
  parameter,
  value,
  onChange,
}: {
  readonly label: string;
  readonly parameter: Parameter & { kind: 'number' };
  readonly value: number;
  readonly onChange: (value: number) => void;
}) {
  // The typed text is shown until the value changes.
  const [typed, setTyped] = useState<{ readonly text: string; readonly from: number }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { min, max, step = 'any' } = parameter;
  const text = typed?.from === value ? typed.text : String(value);
  useEffect(() => () => clearTimeout(timer.current), []);
  const within = (number: number) => Math.min(Math.max(number, min ?? -Infinity), max ?? Infinity);
  const numberIn = (written: string) =>
    written.trim() === '' || !Number.isFinite(Number(written)) ? undefined : Number(written);
  const follow = (next: string) => {
    setTyped({ text: next, from: value });
    clearTimeout(timer.current);
    const number = numberIn(next);
    if (number !== undefined && within(number) === number)
      timer.current = setTimeout(() => onChange(number), settlesAfterMs);
  };
  const rest = () => {
    clearTimeout(timer.current);
    const number = numberIn(text);
    setTyped(undefined);
    if (number !== undefined && within(number) !== value) onChange(within(number));
  };
  const bounds = {
    min,
    max,
    step,
    onChange: (event: { target: { value: string } }) => follow(event.target.value),
    onBlur: rest,
  };
  return (
    <>
      {min !== undefined && max !== undefined ? (
        <input
          type="range"
          tabIndex={-1}
          aria-hidden
          value={Number(text) || 0}
          {...bounds}
          className="w-24 accent-accent max-sm:hidden"
        />
      ) : null}
      <input
        type="number"
        aria-label={label}
        value={text}
        {...bounds}
        onKeyDown={event => event.key === 'Enter' && rest()}
        className="tabular h-full w-20 min-w-0 bg-transparent pe-1 font-medium text-text outline-none"
      />
    </>
  );
}
