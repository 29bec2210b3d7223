import type { ModelSummary } from '@belvedere/api';
import { isMeasureField } from '@belvedere/query';
import type { FieldProfiles } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import type { Names } from './yaml-editor.ts';

/** The names that a dashboard's text may use: models, and the fields of its own model. */
export function namesOf(models: readonly ModelSummary[], profiles: FieldProfiles | undefined): Names {
  return {
    offered: wanted => {
      if (wanted === 'model') return models.map(({ name }) => ({ label: name, type: 'class' }));
      return (profiles?.fields ?? [])
        .filter(field =>
          wanted === 'field'
            ? !isMeasureField(field)
            : wanted === 'measure'
              ? isMeasureField(field)
              : wanted === 'either',
        )
        .map(({ name, label, type }) => ({
          label: name,
          detail: `${label}${type ? `, ${type}` : ''}`,
          type: type ? 'variable' : 'function',
          boost: 1,
        }));
    },
    describe: word => {
      const field = profiles?.of(word);
      return field && `${field.label} · ${field.type ?? words.add.measures}`;
    },
  };
}
