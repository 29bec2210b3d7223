import type { Path, Tile } from '@belvedere/document';
import { tileTitle } from '../../../dashboard/tiles/describe.ts';
import { fieldProfilesOf, withParameters, type FieldProfiles } from '../../encoding/field-profiles.ts';
import { withFollowingTitle } from '../../encoding/generated-title.ts';
import { words } from '../../messages/words.ts';
import { setKey, tilePath, tilesOf } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';

/** The selected tile, the fields that it may use, and the edits to it. */
export interface InspectedTile {
  readonly id: string;
  readonly tile: Tile;
  readonly page: number;
  readonly path: Path;
  /** The fields of the tile's model; undefined for a dashboard without one. */
  readonly profiles: FieldProfiles | undefined;
  readonly titleOf: (tile: Tile) => string;
  /** Sets a property, or removes it if there is no value. */
  readonly set: (property: string, value: unknown, options?: StepOptions) => void;
  /**
   * Replaces the tile. A generated title follows its new fields.
   * @param joins steps in a row with the same name here are one
   */
  readonly replace: (next: Tile, step: string, joins?: string) => void;
}

interface StepOptions {
  /** The step's name for undo. */
  readonly step?: string;
  /** Otherwise steps in a row that set the same property are one, as while a text is typed. */
  readonly isOwnStep?: boolean;
}

/** The props of a section of the tile's panel. */
export interface InspectedTileProps {
  readonly inspected: InspectedTile;
}

/** A tile of the editor's page; undefined once it has been removed. */
export function useInspectedTile(id: string): InspectedTile | undefined {
  const { editor, models, profiles: dashboardFacts } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const tile = tilesOf(document, page)[id];
  if (!tile) return undefined;

  const modelName = tile.model ?? document.model;
  const model = models.find(({ name }) => name === modelName);
  const path = tilePath(page, id);
  const titleOf = (one: Tile) => tileTitle(one, model);
  const joined = (joins: string | undefined) => (joins === undefined ? undefined : `${joins}:${id}`);
  return {
    id,
    tile,
    page,
    path,
    profiles:
      modelName === dashboardFacts?.name
        ? dashboardFacts
        : model && withParameters(fieldProfilesOf(model, undefined), document.parameters),
    titleOf,
    set: (property, value, { step = words.steps.setting, isOwnStep = false } = {}) =>
      void editor.apply(step, [setKey([...path, property], value)], joined(isOwnStep ? undefined : property)),
    replace: (next, step, joins) =>
      void editor.apply(
        step,
        [{ kind: 'set', path, value: withFollowingTitle(tile, next, titleOf) }],
        joined(joins),
      ),
  };
}
