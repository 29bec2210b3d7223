// `npm run docs:pictures`: takes the pictures of the guide anew, from the journeys that show them (`illustrate` in
// e2e/browser.ts). Look at each before committing it.
process.env.BELVEDERE_PICTURES = '1';
const journeys = [
  'e2e/editor/editor.test.ts',
  'e2e/editor/model-editor.test.ts',
  'e2e/app/screens/sql-screen.test.ts',
  'e2e/app/screens/view-as.test.ts',
  'e2e/app/journeys.test.ts',
];
process.argv.push('--e2e', ...journeys);
await import('./test.mjs');
