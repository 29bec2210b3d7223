import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type RunningTeam } from '../team/running-team.ts';
import { browserEngines } from './engines.ts';
import { Screen } from './screen.ts';
import { keepScreenshot } from '../keep-screenshot.ts';

/* The page of a public link in each engine: its credential is a header, also for images and results in a stream. */

const orders = Array.from({ length: 400 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(i * 0.9))).toISOString().slice(0, 10);
  return `${day},${['Aachen', 'Bonn', 'Celle', 'Dessau'][i % 4]}`;
});
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops\ntimezone: UTC\n',
  'data/orders.csv': `day,city\n${orders.join('\n')}\n`,
  'images/logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>',
  'dashboards/orders.yaml': `version: 1
title: Orders
model: orders
filters: [{ field: city }]
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      logo: { kind: image, file: logo.svg, alt: Logo, at: [0, 4, 6, 4] }
      days: { kind: bar, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [6, 0, 18, 8] }
`,
};

let team: RunningTeam;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  await team.owner.client.switchLinks({ body: { isOn: true } });
});
afterAll(() => team?.close());

describe.each(browserEngines)('in $name', ({ name, open }) => {
  test('a public link is opened, brushed, filtered, loaded again, and ends', async () => {
    const params = { id: 'orders' };
    const { link, secret } = await team.owner.client.createLink({
      params,
      body: {
        name,
        filters: { city: { change: 'within', value: { oneOf: ['Aachen', 'Bonn', 'Celle'] } } },
      },
    });
    const driver = await open();
    try {
      const tab = await driver.newTab({ width: 1280, height: 900 });
      const screen = new Screen(tab);
      await tab.goto(`${team.server.address}/s/${secret}`);
      await screen.sees('Orders');
      await screen.settled();
      await screen.figureIs('all', '300');
      await screen.until('the image is there', () =>
        // WebKit has another size for pictures without a fixed one.
        tab.evaluate(
          () => (document.querySelector<HTMLImageElement>('img[alt=Logo]')?.naturalWidth ?? 0) > 0,
        ),
      );
      const places = await screen.along('[data-tile=days] [role=application]', [0.3, 0.5], [0.45, 0.5]);
      await tab.move([places[0]!]);
      await tab.drag(places);
      await screen.addressHas('s.days=');
      await screen.until('fewer than all', async () => Number(await screen.figure('all')) < 300);
      await screen.settled();
      const brushed = await screen.restingFigure('all');
      await tab.reload();
      await screen.settled();
      await screen.figureIs('all', brushed);
      await tab.press('Escape');
      await screen.figureIs('all', '300');
      await keepScreenshot(`engines/link-${name.toLowerCase()}`, () => tab.screenshot());
      const { links } = await team.owner.client.listLinks({ params });
      expect(links.find(({ id }) => id === link.id)).toMatchObject({ opens: 1 });
      await team.owner.client.revokeLink({ params: { ...params, link: link.id } });
      await tab.reload();
      await screen.sees('This link no longer works');
      expect(await tab.faults()).toEqual([]);
    } finally {
      await driver.close();
    }
  });
});
