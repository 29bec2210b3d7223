import { expect, test } from 'vitest';
import { tableRoutes } from './table-routes.ts';

test('import options are not previewed by users whom row policies keep from some rows', async () => {
  const routes = tableRoutes({} as never, {} as never, {} as never, {} as never, undefined);
  const caller = { role: 'editor', rows: { groups: [], attributes: {} } };
  await expect(
    Promise.resolve({ params: { table: 'orders' }, body: {}, caller } as never).then(
      routes.previewImportOptions,
    ),
  ).rejects.toMatchObject({ type: 'not-allowed' });
});
