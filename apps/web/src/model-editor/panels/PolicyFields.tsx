import type { PolicyFile } from '@belvedere/document';
import { Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { setKey } from '../../editor/state/commands.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { words } from '../../editor/messages/words.ts';
import { ExpressionField } from '../expressions/ExpressionField.tsx';
import { useModelEditing } from '../model-editing.ts';

/** Of wide models; the text has room for the others. */
const maxFields = 200;

/** Whom a policy binds, which rows exist for them, and what does not. */
export function PolicyFields({ at }: { readonly at: number }) {
  const { editor, columns } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const policy = document.policies?.[at];
  const [typed, setTyped] = useState<string>();
  if (!policy) return null;
  const put = (next: PolicyFile) =>
    editor.apply(words.steps.setting, [{ kind: 'set', path: ['policies', at], value: next }]);
  const set = (key: 'name' | 'where' | 'groups' | 'hide', value: unknown) =>
    editor.apply(words.steps.setting, [setKey(['policies', at, key], value)], `policies.${at}.${key}`);
  const { name, groups, everyone: _, ...rest } = policy;
  const bind = (whom: string) => {
    if ((whom === 'groups') !== (groups !== undefined))
      put({
        name,
        ...(whom === 'groups' ? { groups: [words.model.newGroup] } : { everyone: true as const }),
        ...rest,
      });
  };
  const hide = policy.hide ?? [];
  const fields = [
    ...new Set([...hide, ...Object.keys(document.dimensions ?? {}), ...Object.keys(document.measures ?? {})]),
  ];
  const typeGroups = (text: string) => {
    setTyped(text);
    const named = text
      .split(',')
      .map(group => group.trim())
      .filter(group => group !== '');
    if (named.length > 0) set('groups', [...new Set(named)]);
  };
  return (
    <>
      <TextField label={words.tile.name} value={name} onChange={next => next !== '' && set('name', next)} />
      <InlineSelect
        label={words.model.binds}
        value={groups ? 'groups' : 'everyone'}
        options={[
          { value: 'everyone', label: words.model.everyone },
          { value: 'groups', label: words.model.groups },
        ]}
        onChange={bind}
      />
      {groups ? (
        <div onBlur={() => setTyped(undefined)}>
          <TextField
            label={words.model.groupNames}
            value={typed ?? groups.join(', ')}
            onChange={typeGroups}
          />
        </div>
      ) : null}
      <ExpressionField
        label={words.model.rowsWhere}
        value={policy.where}
        columns={columns}
        onChange={where => set('where', where)}
      />
      <p className="text-12 text-text-2">{words.model.attributeHint}</p>
      {fields.length > 0 ? (
        <fieldset className="flex flex-col gap-1">
          <legend className="pb-1 text-12 text-text-2">{words.model.hides}</legend>
          <ul className="flex max-h-44 flex-col overflow-y-auto">
            {fields.slice(0, maxFields).map(field => (
              <li key={field}>
                <Checkbox
                  isSelected={hide.includes(field)}
                  onChange={isHidden =>
                    set('hide', isHidden ? [...hide, field] : hide.filter(other => other !== field))
                  }
                >
                  {field}
                </Checkbox>
              </li>
            ))}
          </ul>
        </fieldset>
      ) : null}
    </>
  );
}
