/** Limits of a dashboard's state. Parts of an address beyond them are ignored. */
export const stateBounds = {
  pages: 30,
  filters: 60,
  tiles: 60,
  boxes: 200,
  fieldsOfBox: 8,
  opened: 8,
  columns: 100,
  parameters: 20,
  fieldName: 200,
  tileName: 64,
  parameterName: 64,
  parameterText: 200,
} as const;
