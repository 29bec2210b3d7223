import { isNumeric, isTemporal, type DataType } from '@belvedere/model';

/** The known facts about a field, from which a tile is suggested. */
export interface FieldFacts {
  readonly name: string;
  readonly label: string;
  /** The field's description in its model. */
  readonly description?: string;
  /** Only dimensions have a type. */
  readonly type?: DataType;
  /** The shapes of a map that its values name. */
  readonly regions?: string;
  /** The role of coordinates in its model. */
  readonly coordinate?: 'latitude' | 'longitude';
  /** Statistics of the field's values; times in milliseconds. */
  readonly profile?: {
    readonly distinct: number;
    readonly min?: number | string;
    readonly max?: number | string;
    readonly low?: number;
    readonly high?: number;
  };
}

export const isMeasureField = (field: FieldFacts) => field.type === undefined;

export const isTime = ({ type }: FieldFacts) => type !== undefined && isTemporal(type);
export const isNumber = ({ type }: FieldFacts) => type !== undefined && isNumeric(type);
/** Whether its values lie along a line, which is not divided into names. */
export const isContinuous = (field: FieldFacts) => isTime(field) || isNumber(field);
/** A measured number, not a code with few values. */
export const isAmount = (field: FieldFacts) =>
  isNumber(field) &&
  !(field.type === 'integer' && field.profile !== undefined && field.profile.distinct <= 31);
