import { expect, test } from 'vitest';
import { de } from './de.ts';
import { zh } from './zh.ts';

/** As the server says them: `Channels.offReason`. */
test.each([
  'No mail server is set.',
  'Webhooks are switched off under Settings › Channels.',
  'The mail server `smtp://mail.example.org` of belvedere.yaml needs confirmation under Settings › System.',
])('“%s” is translated, with the names in it', reason => {
  const names = reason.match(/`.*`/g) ?? [];
  for (const { reasonText } of [de, zh]) {
    expect(reasonText(reason)).not.toBe(reason);
    for (const name of names) expect(reasonText(reason)).toContain(name);
  }
});
