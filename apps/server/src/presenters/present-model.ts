import type { Level, ModelSummary } from '@belvedere/api';
import { labelFrom } from '@belvedere/document';
import type { WorkspaceModel } from '../workspace/workspace.ts';

/** Returns a model's fields as pages and assistants see them: without tables' columns and expressions. */
export function modelSummary({ model, isGuessed }: WorkspaceModel, level?: Level): ModelSummary {
  const field = ({
    name,
    label,
    type,
    format,
    description,
    role,
    isHidden,
  }: {
    name: string;
    label: string;
    type: string;
    format?: string;
    description?: string;
    role?: string;
    isHidden?: boolean;
  }) => ({
    name,
    label,
    type,
    ...(format && { format }),
    ...(description && { description }),
    ...(role && { role }),
    ...(isHidden && { isHidden }),
  });
  return {
    name: model.name,
    label: model.label || labelFrom(model.name),
    table: model.table,
    ...(model.time && { time: model.time }),
    dimensions: Object.values(model.dimensions).map(field),
    measures: Object.values(model.measures).map(measure => ({
      ...field(measure),
      ...(measure.unit && { unit: measure.unit }),
      ...(measure.better && { better: measure.better }),
    })),
    isGuessed,
    ...(level && { level }),
    ...(model.hierarchies && { hierarchies: Object.values(model.hierarchies).map(levels => [...levels]) }),
    ...(model.filters && { filters: { ...model.filters } }),
  };
}
