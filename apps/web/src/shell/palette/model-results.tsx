import { Box, TableProperties, TextCursorInput } from 'lucide-react';
import type { useNavigate } from '@tanstack/react-router';
import { isAllowed } from '../../data/session/permissions.ts';
import type { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import type { usePhraseModels } from '../../phrases/use-phrase-models.ts';
import { iconSize, type ResultSection } from './result-section.ts';

/** The fields of models, which open in Explore, and the models themselves. */
export function modelSections(
  models: ReturnType<typeof usePhraseModels>['models'],
  navigate: ReturnType<typeof useNavigate>,
  permissions: ReturnType<typeof usePermissions>,
): readonly ResultSection[] {
  return [
    {
      title: t.palette.fields,
      items: models.flatMap(model =>
        [...model.measures, ...model.dimensions]
          .filter(field => !field.isHidden)
          .map(field => ({
            title: field.label,
            terms: [field.name, ...(field.description ? [field.description] : [])],
            hint: model.label,
            icon: <TextCursorInput size={iconSize} />,
            act: () =>
              void navigate({
                to: '/explore/$model',
                params: { model: model.name },
                search: { find: field.label },
              }),
          })),
      ),
    },
    {
      title: t.palette.models,
      items: models.flatMap(model => [
        {
          title: model.label,
          terms: [model.name],
          hint: t.data.explore,
          icon: <Box size={iconSize} />,
          act: () => void navigate({ to: '/explore/$model', params: { model: model.name }, search: {} }),
        },
        ...(permissions.data && isAllowed(model, 'edit')
          ? [
              {
                title: t.palette.editModel(model.label),
                terms: [model.name],
                icon: <TableProperties size={iconSize} />,
                act: () => void navigate({ to: '/models/$model', params: { model: model.name } }),
              },
            ]
          : []),
      ]),
    },
  ];
}
