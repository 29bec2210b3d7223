import { freeName, labelFrom, type Edit, type Parameter } from '@belvedere/document';
import { parameterText } from '@belvedere/chart';
import { everyTimeUnit, isMeasureField } from '@belvedere/query';
import { InlineSelect, IconButton, Select, TextField } from '@belvedere/ui';
import { X } from 'lucide-react';
import { parameterLabel } from '../../../dashboard/tiles/describe.ts';
import { locale } from '../../../messages/messages.ts';
import { setKey } from '../../state/commands.ts';
import { useEditing } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { FoldedEntry } from '../FoldedEntry.tsx';
import { NumberField } from '../NumberField.tsx';

interface ParameterListProps {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly profiles: FieldProfiles;
}

const kinds = ['measure', 'field', 'timeUnit', 'number', 'choice'] as const;

/** The parameters of a dashboard. Each is offered among the fields, and can be used like one. */
export function ParameterList({ parameters, profiles }: ParameterListProps) {
  const { editor } = useEditing();
  const set = (edits: readonly Edit[], joins?: string) => editor.apply(words.steps.parameter, edits, joins);
  const add = (kind: Parameter['kind']) => {
    const name = freeName(words.parameters.names[kind], new Set(Object.keys(parameters)));
    const value = starter(kind, profiles);
    if (value) set([{ kind: 'set', path: ['parameters', name], value }]);
  };
  return (
    <>
      {Object.entries(parameters).map(([name, parameter]) => (
        <FoldedEntry
          key={name}
          title={
            <>
              {parameter.label ?? labelFrom(name)}
              <span className="text-text-3"> · {words.parameters.kinds[parameter.kind]}</span>
            </>
          }
          actions={
            <IconButton
              label={words.parameters.remove(parameter.label ?? labelFrom(name))}
              className="size-6!"
              onPress={() =>
                set([
                  Object.keys(parameters).length === 1
                    ? { kind: 'remove', path: ['parameters'] }
                    : { kind: 'remove', path: ['parameters', name] },
                ])
              }
            >
              <X size={13} aria-hidden />
            </IconButton>
          }
        >
          <TextField
            label={words.parameters.label}
            value={parameter.label ?? ''}
            onChange={label => set([setKey(['parameters', name, 'label'], label)], `label:${name}`)}
          />
          {parameter.kind === 'number' ? (
            (['default', 'min', 'max', 'step'] as const).map(key => (
              <NumberField
                key={key}
                label={words.parameters[key]}
                value={parameter[key]}
                onChange={value =>
                  (value !== undefined || key !== 'default') &&
                  (key !== 'step' || value === undefined || value > 0) &&
                  set([setKey(['parameters', name, key], value)], `${key}:${name}`)
                }
              />
            ))
          ) : (
            <Options name={name} parameter={parameter} profiles={profiles} onEdit={set} />
          )}
          <p className="text-12 text-text-3">{words.parameters.use(name)}</p>
        </FoldedEntry>
      ))}
      <Select
        look="add"
        label={words.parameters.add}
        placeholder={words.parameters.add}
        value=""
        options={kinds.map(kind => ({
          value: kind,
          label: words.parameters.kinds[kind],
          isDisabled: starter(kind, profiles) === undefined,
        }))}
        onChange={kind => add(kind as Parameter['kind'])}
      />
    </>
  );
}

interface OptionsProps {
  readonly name: string;
  readonly parameter: Exclude<Parameter, { kind: 'number' }>;
  readonly profiles: FieldProfiles;
  readonly onEdit: (edits: readonly Edit[], joins?: string) => void;
}

/** The options of a parameter, and its default. */
function Options({ name, parameter, profiles, onEdit }: OptionsProps) {
  const { models } = useEditing();
  const options: readonly string[] = parameter.options;
  const say = (option: string) =>
    parameterText(parameter, option, one => parameterLabel(models, one), locale);
  const path = ['parameters', name, 'options'];
  const take = (i: number) =>
    onEdit([
      { kind: 'remove', path: [...path, i] },
      ...(parameter.default === options[i]
        ? [{ kind: 'remove', path: ['parameters', name, 'default'] } as const]
        : []),
    ]);
  const put = (option: string) =>
    option !== '' && onEdit([{ kind: 'insert', path: [...path, options.length], value: option }]);
  const others =
    parameter.kind === 'choice'
      ? []
      : offered(parameter.kind, profiles).filter(({ value }) => !options.includes(value));
  return (
    <>
      {options.map((option, i) => (
        <div key={parameter.kind === 'choice' ? i : option} className="flex items-center gap-1">
          {parameter.kind === 'choice' ? (
            <div className="min-w-0 flex-1">
              <TextField
                label={`${i + 1}`}
                value={option}
                onChange={text =>
                  text !== '' &&
                  !options.includes(text) &&
                  onEdit(
                    [
                      { kind: 'set', path: [...path, i], value: text },
                      ...(parameter.default === option
                        ? [{ kind: 'set', path: ['parameters', name, 'default'], value: text } as const]
                        : []),
                    ],
                    `option:${name}:${i}`,
                  )
                }
              />
            </div>
          ) : (
            <span className="min-w-0 flex-1 truncate rounded-control bg-accent-weak px-2 py-1 text-12 text-accent-text">
              {say(option)}
            </span>
          )}
          {options.length > 1 ? (
            <IconButton label={words.tile.remove(say(option))} className="size-6!" onPress={() => take(i)}>
              <X size={13} aria-hidden />
            </IconButton>
          ) : null}
        </div>
      ))}
      {parameter.kind === 'choice' ? (
        <button
          type="button"
          className="self-start text-12 text-accent-text underline"
          onClick={() => put(freeOption(options))}
        >
          {words.parameters.addOption}
        </button>
      ) : (
        <Select
          look="add"
          label={words.parameters.addOption}
          placeholder={words.parameters.addOption}
          value=""
          options={others}
          onChange={put}
        />
      )}
      <InlineSelect
        label={words.parameters.default}
        value={parameter.default ?? options[0]!}
        options={options.map(option => ({ value: option, label: say(option) }))}
        onChange={value =>
          onEdit([setKey(['parameters', name, 'default'], value === options[0] ? undefined : value)])
        }
      />
    </>
  );
}

function offered(
  kind: 'measure' | 'field' | 'timeUnit',
  profiles: FieldProfiles,
): readonly { readonly value: string; readonly label: string }[] {
  if (kind === 'timeUnit')
    return everyTimeUnit.map(unit => ({
      value: unit,
      label: parameterText({ kind, options: [] }, unit, String, locale),
    }));
  return profiles.fields
    .filter(field => !field.name.startsWith(':') && isMeasureField(field) === (kind === 'measure'))
    .map(({ name, label }) => ({ value: name, label }));
}

/** A new parameter of a kind; undefined if the model has nothing to choose from. */
function starter(kind: Parameter['kind'], profiles: FieldProfiles): Parameter | undefined {
  if (kind === 'number') return { kind, default: 10 };
  if (kind === 'choice') return { kind, options: ['A', 'B'] };
  if (kind === 'timeUnit') return { kind, options: ['month', 'week', 'day'] };
  const suited =
    kind === 'field'
      ? profiles.fields.filter(
          ({ type, profile }) =>
            (type === 'text' || type === 'boolean') &&
            (profile === undefined || (profile.distinct > 1 && profile.distinct <= 500)),
        )
      : [];
  const options = (
    suited.length > 1 ? suited.map(({ name }) => name) : offered(kind, profiles).map(({ value }) => value)
  )
    .filter(name => !name.startsWith(':'))
    .slice(0, 2);
  return options.length > 0 ? { kind, options } : undefined;
}

function freeOption(options: readonly string[]): string {
  for (let letter = 'A'.charCodeAt(0) + options.length; ; letter++) {
    const option = String.fromCodePoint(letter);
    if (!options.includes(option)) return option;
  }
}
