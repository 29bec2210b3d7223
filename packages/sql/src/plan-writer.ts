import { isTemporal, typeOf, type DataType } from '@belvedere/model';
import {
  binTolerance,
  columnsRead,
  edgeOf,
  nullSlot,
  outsideSlot,
  slotsOf,
  type Axis,
  type PlanExpression,
} from '@belvedere/query';
import { beginningOf, unitsSince } from './calendar-units.ts';
import type { Dialect, Type } from './dialect.ts';
import { asText, wallClock, type ExpressionWriter } from './expression-writer.ts';
import { numberLiteral, type LiteralWriter } from './literal-writer.ts';

/** Writes what a plan computes of the expressions of its model: groups, slots of axes and conditions. */
export class PlanWriter {
  readonly #dialect: Dialect;
  readonly #zone: string;
  readonly #literals: LiteralWriter;
  readonly #model: ExpressionWriter;

  /** @param zone in which instants are read */
  constructor(dialect: Dialect, zone: string, literals: LiteralWriter, model: ExpressionWriter) {
    this.#dialect = dialect;
    this.#zone = zone;
    this.#literals = literals;
    this.#model = model;
  }

  /** A key by which rows are grouped. */
  groupKey(value: string, expression: PlanExpression, type: DataType): string {
    const isColumn = expression.kind === 'model' && expression.expression.kind === 'column';
    return this.#dialect.grouped(
      value,
      type,
      isColumn ? 'a column' : columnsRead([expression]).length > 0 ? 'columns' : 'nothing',
    );
  }

  write(expression: PlanExpression): string {
    switch (expression.kind) {
      case 'model':
        return this.#model.write(expression.expression);
      case 'local':
        return this.#dialect.local(this.write(expression.operand), expression.isUtc ? 'UTC' : this.#zone);
      case 'truncate':
        return beginningOf(
          expression.unit,
          wallClock(this.#dialect, this.write(expression.operand), typeOfPlan(expression.operand)),
          this.#dialect,
        );
      case 'double':
        return this.#dialect.double(this.write(expression.operand));
      case 'group': {
        const slots = expression.axes.map(({ axis, operand, type }) =>
          this.#writeSlot(axis, this.write(operand), type),
        );
        return this.#dialect.small(
          slots.reduce((sofar, slot, i) => `(${sofar}) * ${slotsOf(expression.axes[i]!.axis)} + ${slot}`),
        );
      }
      case 'edge': {
        const operand = wallClock(this.#dialect, this.write(expression.operand), expression.type);
        return isTemporal(expression.type)
          ? `${operand} ${expression.operator} ${this.#dialect.time(expression.value)}`
          : `${this.#comparable(operand, expression.type)} ${expression.operator} ${numberLiteral(expression.value)}`;
      }
      case 'oneOf': {
        const operand = wallClock(this.#dialect, this.write(expression.operand), expression.type);
        const values = expression.values.filter(value => value !== null);
        const literals = () => values.map(value => this.#literals.literal(value, expression.type));
        const tests = [
          ...(values.length > 0
            ? [`${this.#comparable(operand, expression.type)} in (${literals().join(', ')})`]
            : []),
          ...(values.length < expression.values.length ? [`${operand} is null`] : []),
        ];
        return tests.length === 0 ? this.#dialect.boolean(false) : `(${tests.join(' or ')})`;
      }
      case 'contains':
        return this.#dialect.containsAnyCase(
          asText(this.#dialect, this.write(expression.operand), typeOfPlan(expression.operand)),
          this.#literals.bind(expression.text),
        );
      case 'not':
        return `not coalesce(${this.write(expression.condition)}, ${this.#dialect.boolean(false)})`;
      case 'all':
        return expression.conditions.length === 0
          ? this.#dialect.boolean(true)
          : `(${expression.conditions.map(part => this.write(part)).join(' and ')})`;
      case 'any':
        return expression.conditions.length === 0
          ? this.#dialect.boolean(false)
          : `(${expression.conditions.map(part => this.write(part)).join(' or ')})`;
    }
  }

  /** The slot of a value on an axis; slots of their own for nulls and values outside of it. */
  #writeSlot(axis: Axis, written: string, type: DataType): string {
    const operand = wallClock(this.#dialect, written, type);
    if (axis.kind === 'categories') {
      const position = this.#dialect.positionIn(
        this.#comparable(operand, type),
        axis.values.map(value => (value === null ? undefined : this.#literals.literal(value, type))),
        type,
      );
      const nowhere = axis.values.length;
      const nullPosition = axis.values.indexOf(null);
      const found = `coalesce(${position}, ${nowhere})`;
      return nullPosition >= 0
        ? `case when ${operand} is null then ${nullPosition} else ${found} end`
        : found;
    }
    const last = axis.count - 1;
    const edge = (bin: number) =>
      axis.kind === 'bins' ? numberLiteral(edgeOf(axis, bin)) : this.#dialect.time(edgeOf(axis, bin));
    const value = axis.kind === 'bins' ? this.#comparable(operand, type) : operand;
    const bin =
      axis.kind === 'bins'
        ? `floor((${value} - ${numberLiteral(axis.origin)}) / ${numberLiteral(axis.step)} + ${numberLiteral(binTolerance)})`
        : unitsSince(axis.unit, this.#dialect.time(axis.from), operand, this.#dialect);
    // The range is tested on the value itself. This lets the engine skip blocks, and costs half of testing
    // the slot.
    const isInside = `${value} >= ${edge(0)} and ${value} < ${edge(axis.count)}`;
    const slot = `least(${last}, ${this.#dialect.small(bin)})`;
    return `case when ${operand} is null then ${nullSlot(axis)} when ${isInside} then ${slot} else ${outsideSlot(axis)} end`;
  }

  /** Exact numbers may have to be cast to doubles before they are compared with other numbers. */
  #comparable(written: string, type: Type): string {
    return type === 'decimal' || type === 'integer'
      ? this.#dialect.comparesExact
        ? written
        : this.#dialect.double(written)
      : written;
  }
}

function typeOfPlan(expression: PlanExpression): Type {
  return expression.kind === 'model'
    ? typeOf(expression.expression)
    : expression.kind === 'local'
      ? 'time'
      : 'number';
}
