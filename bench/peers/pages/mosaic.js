import * as vg from '@uwdata/vgplot';
import { offer } from './drive.js';

vg.coordinator().databaseConnector(vg.restConnector({ uri: '/sql' }));
const brush = vg.Selection.crossfilter();
const chart = (x, step, domain) =>
  vg.plot(
    vg.rectY(vg.from('flights', { filterBy: brush }), {
      x: vg.bin(x, { step }),
      y: vg.count(),
      fill: 'steelblue',
    }),
    vg.intervalX({ as: brush }),
    vg.xDomain(domain),
    vg.width(420),
    vg.height(220),
  );
document.body.replaceChildren(
  chart('delay', 5, [-45, 135]),
  chart('hour', 1, [0, 24]),
  chart('distance', 100, [0, 2800]),
  chart('carrier', 1, [0, 14]),
  chart('day', 7, [0, Number(new URLSearchParams(location.search).get('days'))]),
);
const drawn = () =>
  [...document.querySelectorAll('svg')].filter(svg => svg.querySelectorAll('rect').length > 8).length >= 5;
while (!drawn()) await new Promise(resolve => setTimeout(resolve, 5));
let changes = 0;
new MutationObserver(() => changes++).observe(document.body.children[1], { childList: true, subtree: true });
// The pointer moves its brushes. The benchmark does that, and counts the redraws of the second chart.
globalThis.changes = () => changes;
offer({ span: [0, 1], brush: () => {} });
