import { isTemporal } from '@belvedere/model';
import { defaultMeasure, type PhraseField, type PhraseModel } from '@belvedere/query';
import type { en } from '../../../messages/en.ts';

/**
 * The phrases that the largest model with a time and categories can show, of those that measure more than rows
 * if there are any.
 */
export function examplesOf(
  models: readonly PhraseModel[],
  words: Pick<(typeof en)['phrases'], 'example' | 'exampleOverTime' | 'exampleTop'>,
): readonly string[] {
  const [model] = models
    .filter(({ time }) => time !== undefined)
    .toSorted((a, b) => Number(countsRows(a)) - Number(countsRows(b)) || (b.rows ?? 0) - (a.rows ?? 0));
  const measure = model && defaultMeasure(model.fields);
  if (!measure) return [];
  const wordsOf = ({ label }: PhraseField) => label.split(/\s+/).length;
  const categories = model.fields
    .filter(
      ({ type, profile }) => type === 'text' && profile && profile.distinct > 2 && profile.distinct <= 200,
    )
    .toSorted((a, b) => wordsOf(a) - wordsOf(b));
  const [few] = categories.filter(({ profile }) => profile!.distinct <= 30);
  const [many] = categories.filter(one => one !== few && one.profile!.distinct > 10);
  const time = model.fields.find(({ name }) => name === model.time);
  return [
    ...(few ? [words.example(measure.label, few.label)] : []),
    ...(time?.type && isTemporal(time.type) ? [words.exampleOverTime(measure.label)] : []),
    ...(many ? [words.exampleTop(measure.label, many.label)] : []),
  ];
}

/** Whether nobody has said what a model is about: *rows by month* is no example of a question. */
function countsRows({ fields }: PhraseModel): boolean {
  const measure = defaultMeasure(fields);
  return measure === undefined || (measure.name === 'rows' && measure.label === 'Rows');
}
