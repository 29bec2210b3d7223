/** Shapes that come with Belvedere, on which maps draw regions. */
export const builtInShapes = ['countries', 'us-states', 'us-counties'] as const;
type BuiltInShape = (typeof builtInShapes)[number];

/** What a dimension's values name, with the shapes on which a map draws them. */
const shapesOfRoles = {
  country: 'countries',
  'us-state': 'us-states',
  'us-county': 'us-counties',
} as const satisfies Readonly<Record<string, BuiltInShape>>;

export const regionRoles = Object.keys(shapesOfRoles) as (keyof typeof shapesOfRoles)[];

/** A GeoJSON file of the folder `maps`. */
export const mapFilePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.(geo)?json$/u;

/**
 * Returns the shapes on which a map draws the values of a dimension, by its role. A GeoJSON file is the role of
 * a dimension whose values are its regions.
 */
export function shapeOfRole(role: string | undefined): string | undefined {
  if (role === undefined) return undefined;
  if (Object.hasOwn(shapesOfRoles, role)) return shapesOfRoles[role as keyof typeof shapesOfRoles];
  return mapFilePattern.test(role) ? role : undefined;
}
