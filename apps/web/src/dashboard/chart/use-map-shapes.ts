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

const lazyComponent = new Map<string, Promise<MapShapes>>();

/**
 * Shapes that a page brings along are not fetched. What is no GeoJSON leaves its own map empty, and nothing
 * else.
 */
export function requestShapes(shape: string, map: GeoJson): void {
  const shapes = Promise.resolve(map).then(shapesFromGeoJson);
  shapes.catch(() => {});
  lazyComponent.set(shape, shapes);
}

/**
 * The shapes a map wants, fetched once for all maps; undefined until they are there, and for all other tiles.
 */
export function useMapShapes(tile: ChartTile): MapShapes | undefined {
  const [found, setFound] = useState<{ readonly shape: string; readonly shapes: MapShapes }>();
  const shape = tile.kind === 'map' ? tile.shape : undefined;
  useEffect(() => {
    if (shape === undefined) return undefined;
    let isWanted = true;
    const shapes = lazyComponent.get(shape) ?? fetchShapes(shape);
    lazyComponent.set(shape, shapes);
    // A map without its shapes stays empty; the next one to be shown asks again.
    shapes.then(
      known => isWanted && setFound({ shape, shapes: known }),
      () => lazyComponent.delete(shape),
    );
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
