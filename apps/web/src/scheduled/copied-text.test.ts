import { describe, expect, test } from 'vitest';
import { copiedText } from './copied-text.ts';

const text = `# Called at night.
version: 1
title: Late flights
owner: ana@example.org
watch: { dashboard: delays, tile: on_time } # as shown
when: { below: 0.7 }
`;

const copyOf = (title: string) => `${title} (copy)`;

describe('a copy of an alert', () => {
  test('has a title and an owner of its own, and keeps everything else', () => {
    expect(copiedText('alert', text, copyOf, 'ben@example.org')).toBe(
      text.replace('Late flights', 'Late flights (copy)').replace('ana@', 'ben@'),
    );
  });

  test('has no new owner without accounts', () => {
    expect(copiedText('alert', text, copyOf, undefined)).toContain('owner: ana@example.org\n');
  });

  test('of a text with errors is the same text', () => {
    expect(copiedText('alert', 'title: [\n', copyOf, 'ben@example.org')).toBe('title: [\n');
  });
});
