// Home with five hundred dashboards over a million flights: load time, long tasks while showing and
// searching, concurrent thumbnail requests, and the delay from a changed file to an updated Home.
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchBrowser } from '../e2e/browser.ts';
import { report, type Figure } from './harness/figures.ts';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { median, startOn, timed } from './harness/running-server.ts';

const count = 500;
const figures: Figure[] = [];
const folder = await flightsAtSize(1e6);
const many = path.join(folder, 'dashboards', 'many');
const cities = ['Vienna', 'Lima', 'Oslo', 'Cairo', 'Hanoi', 'Quito', 'Accra', 'Turin'];
const text = (i: number) =>
  `version: 1\ntitle: ${cities[i % cities.length]} ${i}\nmodel: flights\npages:\n  - title: One\n    tiles:\n      a: { kind: kpi, value: { measure: flights }, at: [0, 0, 6, 3] }\n      b: { kind: bar, x: { field: hour }, y: { measure: flights }, filters: [{ field: distance, default: { from: ${i} } }], at: [6, 0, 18, 8] }\n`;
for (let i = 0; i < count; i++) {
  const place = path.join(many, `f${i % 20}`);
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, `d${i}.yaml`), text(i));
}

const { server, client } = await startOn(folder);
const lists: number[] = [];
for (let round = 0; round < 7; round++)
  lists.push((await timed(() => client.listDashboards({ query: {} })))[0]);
figures.push({ name: `${count} dashboards listed`, value: median(lists), unit: 'ms', target: '≤ 100' });
const searches: number[] = [];
for (const search of ['vienna', 'lima 1', 'distance', 'nothing of it', 'flights'])
  searches.push((await timed(() => client.listDashboards({ query: { search } })))[0]);
figures.push({
  name: 'a search over their titles, texts and fields',
  value: median(searches),
  unit: 'ms',
  target: '≤ 100',
});
await server.close();

const { server: seen } = await startOn(folder, { signIn: false });
const browser = await launchBrowser();
const page = await (
  await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
).newPage();
await page.addInitScript(() => {
  const found: number[] = [];
  Object.assign(window, { longTasks: found });
  new PerformanceObserver(list => found.push(...list.getEntries().map(entry => entry.duration))).observe({
    type: 'longtask',
    buffered: true,
  });
});
const longest = () =>
  page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks.splice(0)));
let pictures = 0;
page.on('request', request => void (request.url().includes('/thumbnail') && pictures++));
await page.goto(seen.openAddress);
await page.locator('main table a').nth(99).waitFor();
const opens: number[] = [];
const tasks: number[] = [];
for (let round = 0; round < 5; round++) {
  pictures = 0;
  opens.push(
    (
      await timed(async () => {
        await page.goto(seen.address);
        await page.locator('main table a').nth(99).waitFor();
      })
    )[0],
  );
  await page.waitForTimeout(1000);
  tasks.push(await longest());
}
figures.push({ name: 'Home is there', value: median(opens), unit: 'ms', target: '≤ 1000' });
figures.push({ name: 'showing it: the longest task', value: median(tasks), unit: 'ms', target: '≤ 100' });
figures.push({
  name: 'pictures asked for before anybody scrolls',
  value: pictures,
  unit: 'pictures',
  target: '≤ 60',
});
await page.getByRole('searchbox').first().pressSequentially('lima 4', { delay: 60 });
await page.waitForTimeout(1000);
figures.push({
  name: 'searching while typing: the longest task',
  value: await longest(),
  unit: 'ms',
  target: '≤ 100',
});
await page.getByRole('searchbox').first().fill('');
const [changed] = await timed(async () => {
  await appendFile(path.join(many, 'f0', 'd0.yaml'), '# changed\n');
  await writeFile(path.join(many, 'f0', 'd0.yaml'), text(0).replace('Vienna 0', 'A new name'));
  await page.getByText('A new name', { exact: true }).first().waitFor();
});
figures.push({ name: 'a file that changes is seen', value: changed, unit: 'ms', target: '≤ 2000' });
await browser.close();
await seen.close();
await rm(many, { recursive: true, force: true });
await report('home', figures);
process.exit(0);
