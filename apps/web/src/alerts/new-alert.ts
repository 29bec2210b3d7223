import {
  stateFromSearch,
  type ModelSummary,
  type PastValues,
  type Search,
  type Session,
} from '@belvedere/api';
import { writeDocument, type AlertFile } from '@belvedere/document';
import { client } from '../data/server.ts';
import { readersLanguage, workspaceLanguage } from '../messages/messages.ts';
import { words } from './messages/words.ts';
import { tileMeasures, underFilters } from './tile-measures.ts';

/** What a new alert is begun with: a tile and its dashboard's filters, the ID of an alert to copy, or nothing. */
export type NewAlertSearch = Search & {
  readonly dashboard?: string;
  readonly tile?: string;
  readonly copy?: string;
};

/** A new alert's text with a threshold that its past values seldom reach. */
export async function newAlert(
  search: NewAlertSearch,
  { mode, user }: Session,
  title: string | undefined,
): Promise<{ readonly text: string; readonly document: AlertFile }> {
  const owner = mode === 'team' ? user.email : undefined;
  const watch = await watchOf(search);
  const language = readersLanguage();
  const draft: AlertFile = {
    version: 1,
    title: title ? words.defaultTitle(title) : words.newTitle,
    ...(owner !== undefined && { owner }),
    watch,
    when: { above: 0 },
    // Its first recipient is its owner.
    ...(owner !== undefined && language !== workspaceLanguage() && { locale: language }),
  };
  const past = await client.rehearseAlert({ body: { text: rehearsedText(draft) } }).catch(() => undefined);
  const document = { ...draft, when: { above: past ? usualLimit(past) : 0 } };
  return { document, text: writeDocument(document, 'alert', 'alerts/new.yaml') };
}

async function watchOf({ dashboard, tile, ...search }: NewAlertSearch): Promise<AlertFile['watch']> {
  if (dashboard !== undefined && tile !== undefined) {
    const set = Object.entries(stateFromSearch(search).state.filters);
    const filters = Object.fromEntries(
      set.flatMap(([field, condition]) => (condition ? [[field, condition]] : [])),
    );
    const opened = await client
      .getDashboard({ params: { id: dashboard }, query: { language: readersLanguage() } })
      .catch(() => undefined);
    const measures = opened ? tileMeasures(underFilters(opened, filters), tile) : [];
    return {
      dashboard,
      tile,
      ...(measures.length > 1 && { measure: measures[0]!.name }),
      ...(Object.keys(filters).length > 0 && { filters }),
    };
  }
  const { models } = await client.listModels({});
  const model = models.find(({ time }) => time !== undefined) ?? models[0];
  return {
    model: model?.name ?? 'model',
    measure: (model && measuresOf(model)[0]?.name) ?? 'rows',
    ...(model?.time !== undefined && { every: 'day' as const }),
  };
}

/** The measures that a model offers; each has a count of rows. */
export function measuresOf(
  model: ModelSummary,
): readonly { readonly name: string; readonly label: string }[] {
  return model.measures.filter(({ isHidden }) => !isHidden);
}

/**
 * The text of an alert as far as its past values depend on it: the same for all thresholds, so that none is
 * fetched while one is dragged.
 */
export function rehearsedText({ watch, when, owner }: AlertFile): string {
  const plain =
    when.missing !== undefined
      ? { missing: when.missing }
      : when.change
        ? { change: when.change }
        : { above: 0 };
  return `${JSON.stringify({ version: 1, title: 'Rehearsal', ...(owner !== undefined && { owner }), watch, when: plain })}\n`;
}

/** A round value that about one in twenty past values exceeds. */
function usualLimit({ series }: PastValues): number {
  const values = series
    .flatMap(({ points }) => points.flatMap(([, , value]) => value ?? []))
    .toSorted((a, b) => a - b);
  const high = values[Math.floor(values.length * 0.95)];
  if (high === undefined) return 0;
  return roundedFor(high, values.at(-1)! - values[0]! || Math.abs(high) || 1);
}

/** Rounds to about a hundredth of a span, in steps of 1, 2 or 5. */
export function roundedFor(value: number, span: number): number {
  const step = stepFor(span);
  return Number((Math.round(value / step) * step).toPrecision(12));
}

export function stepFor(span: number): number {
  const rough = span / 100;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find(one => one * power >= rough) ?? 10;
  return factor * power;
}
