import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { project } from '../../e2e/browser.ts';

/** A measured figure: its name, its value, and its peer. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The target, as `≤ 500` or `≥ 55` in the same unit, or as `≤ 3 ×` for the ratio to its peer. */
  readonly target?: string;
  /** The same work done by a peer in the same run, and the peer's value. */
  readonly peer?: { readonly name: string; readonly value: number };
}

const results = path.join(project, '.cache', 'bench', 'results.json');

/**
 * Prints a benchmark's figures and saves them, with the machine's specifications, beside those of the other
 * benchmarks.
 */
export async function report(bench: string, figures: readonly Figure[]): Promise<void> {
  for (const figure of figures) console.log(`${(bench + ': ' + figure.name).padEnd(78)} ${said(figure)}`);
  const before = JSON.parse(await readFile(results, 'utf8').catch(() => '{"benches":{}}')) as {
    benches: Record<string, unknown>;
  };
  const machine = {
    cpu: os.cpus()[0]?.model ?? '',
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    node: process.version,
    platform: `${os.platform()} ${os.release()}`,
  };
  await mkdir(path.dirname(results), { recursive: true });
  await writeFile(
    results,
    JSON.stringify(
      { machine, benches: { ...before.benches, [bench]: { at: new Date().toISOString(), figures } } },
      undefined,
      2,
    ),
  );
}

function said({ value, unit, target, peer }: Figure): string {
  const number = (amount: number) => (Math.abs(amount) >= 100 ? amount.toFixed(0) : amount.toFixed(2));
  const ratio = peer ? `  ${number(value / peer.value)} × ${peer.name} (${number(peer.value)})` : '';
  const asked = target?.endsWith('×') ? value / peer!.value : value;
  return `${number(value)} ${unit}${target ? `  [${target}${meets(asked, target) ? '' : ', MISSED'}]` : ''}${ratio}`;
}

function meets(value: number, target: string): boolean {
  const [sign, bound] = target.split(' ') as ['≤' | '≥' | '=', string];
  return sign === '≤'
    ? value <= Number(bound)
    : sign === '≥'
      ? value >= Number(bound)
      : value === Number(bound);
}
