import { useState, type FormEvent } from 'react';
import { problemText } from '../data/problem-text.ts';

interface FormOptions<Field extends string> {
  readonly fields: readonly Field[];
  /** Returns the error of a field, or undefined. */
  readonly check: (field: Field, values: Readonly<Record<Field, string>>) => string | undefined;
  readonly submit: (values: Readonly<Record<Field, string>>) => Promise<void>;
  /** Says what was wrong in the form's own words, if it knows. */
  readonly explain?: (error: unknown) => string | undefined;
  readonly initial?: Partial<Readonly<Record<Field, string>>>;
}

/** A form of a few texts: errors appear when it is submitted, and go when their fields change. */
export function useForm<Field extends string>({
  fields,
  check,
  submit,
  explain,
  initial = {},
}: FormOptions<Field>) {
  const blank = Object.fromEntries(fields.map(field => [field, ''])) as Record<Field, string>;
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({ ...blank, ...initial });
  const [errors, setErrors] = useState<Partial<Readonly<Record<Field, string>>>>({});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const send = async () => {
    const found = Object.fromEntries(
      fields.flatMap(field => {
        const error = check(field, values);
        return error === undefined ? [] : [[field, error]];
      }),
    ) as Partial<Record<Field, string>>;
    setErrors(found);
    setProblem(undefined);
    if (Object.keys(found).length > 0) return;
    setIsBusy(true);
    try {
      await submit(values);
    } catch (error) {
      setProblem(explain?.(error) ?? problemText(error));
    }
    setIsBusy(false);
  };
  return {
    values,
    problem,
    isBusy,
    clear: () => setValues({ ...blank, ...initial }),
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      if (!isBusy) void send();
    },
    /** The properties of a field. */
    field: (field: Field) => ({
      value: values[field],
      onChange: (value: string) => {
        setValues({ ...values, [field]: value });
        setErrors(({ [field]: _, ...others }) => others as typeof errors);
        setProblem(undefined);
      },
      ...(errors[field] !== undefined && { error: errors[field] as string }),
    }),
  };
}
