import { loadShapes, shapesFromGeoJson, type ChartTile, type MapShapes } from '@belvedere/chart';
import { useQuery } from '@tanstack/react-query';

/** The shapes a map wants, fetched once; undefined until they are there, and for all other tiles. */
export function useMapShapes(tile: ChartTile): MapShapes | undefined {
  const shape = tile.kind === 'map' ? tile.shape : undefined;
  const { data } = useQuery({ queryKey: ['map-shapes', shape], queryFn: () => fetchShapes(shape!), enabled: shape !== undefined });
  return data;
}

async function fetchShapes(shape: string): Promise<MapShapes> {
  if (shape === 'countries' || shape === 'us-states' || shape === 'us-counties') return loadShapes(shape);
  const response = await fetch(`/api/maps/${encodeURIComponent(shape)}`);
  if (!response.ok) throw new Error(`The map ${shape} could not be read.`);
  return shapesFromGeoJson((await response.json()) as Parameters<typeof shapesFromGeoJson>[0]);
}
