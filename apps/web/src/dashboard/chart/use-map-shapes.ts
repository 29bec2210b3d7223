import {
  isBuiltIn,
  loadShapes,
  shapesFromGeoJson,
  type ChartTile,
  type GeoJson,
  type MapShapes,
} from '@belvedere/chart';
import { useEffect, useState } from 'react';
import { client } from '../../data/server.ts';

const shapesByName = new Map<string, Promise<MapShapes>>();

/**
 * Shapes in the page are not fetched. A file that is not GeoJSON leaves its own map empty, and nothing else.
 */
export function requestShapes(shape: string, map: GeoJson): void {
  const shapes = Promise.resolve(map).then(shapesFromGeoJson);
  shapes.catch(() => {});
  shapesByName.set(shape, shapes);
}

/**
 * The shapes of a map, fetched once for all maps: undefined until they are loaded, and for all other tiles;
 * `failed` if they cannot be loaded. The next map to be shown tries again.
 */
export function useMapShapes(tile: ChartTile): MapShapes | 'failed' | undefined {
  const [found, setFound] = useState<{ readonly shape: string; readonly shapes: MapShapes | 'failed' }>();
  const shape = tile.kind === 'map' ? tile.shape : undefined;
  useEffect(() => {
    if (shape === undefined) return undefined;
    let isWanted = true;
    const shapes = shapesByName.get(shape) ?? fetchShapes(shape);
    shapesByName.set(shape, shapes);
    const show = (result: MapShapes | 'failed') => {
      if (isWanted) setFound({ shape, shapes: result });
    };
    shapes.then(show, () => {
      shapesByName.delete(shape);
      show('failed');
    });
    return () => {
      isWanted = false;
    };
  }, [shape]);
  return found?.shape === shape ? found?.shapes : undefined;
}

async function fetchShapes(shape: string): Promise<MapShapes> {
  if (isBuiltIn(shape)) return loadShapes(shape);
  const response = await client.getMap({ params: { file: shape } });
  return shapesFromGeoJson((await response.json()) as GeoJson);
}
