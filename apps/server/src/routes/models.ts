import { arrowMediaType, encodeArrow } from '@belvedere/api';
import { allOf, filterOn, planQuery, QuestionError, type GroupsQuestion } from '@belvedere/query';
import { modelOf, type Answers } from '../answers/answer-question.ts';
import { rowsFrom } from '../answers/answer-tile.ts';
import { columnOf, dataTime } from '../answers/dashboard-context.ts';
import { ProblemError } from '../problems.ts';
import { fileTableOf } from '../workspace/workspace.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { modelSummary } from './dashboards.ts';
import type { Handlers } from './mount.ts';

export function modelRoutes(store: WorkspaceStore, answers: Answers): Pick<Handlers, 'listModels' | 'getModel' | 'getModelProfile' | 'postQuery'> {
  return {
    listModels: () => ({ models: [...store.current.models.values()].map(modelSummary) }),

    getModel: ({ params }) => {
      const found = store.current.models.get(params.name);
      if (!found) throw new ProblemError('not-found', `There is no model \`${params.name}\` here, or it is not shared with you.`);
      return modelSummary(found);
    },

    getModelProfile: ({ params }) => {
      const model = modelOf(store.current, params.name);
      const rows = fileTableOf(store.current, model)?.imported?.profile.rows;
      const columns = Object.keys(model.dimensions).map(name => ({ name, column: columnOf(store.current, model, name) }));
      return { ...(rows !== undefined && { rows }), fields: Object.fromEntries(columns.flatMap(({ name, column }) => (column ? [[name, { ...column, top: [...column.top] }]] : []))) };
    },

    postQuery: async ({ params, body, request, reply, signal }) => {
      const asker = { owner: 'owner', workspace: store.current, zone: store.current.timezone, signal };
      const model = modelOf(asker.workspace, params.name);
      const clock = { now: (await dataTime({ answers, asker }, model)) ?? Date.now() };
      const conditions = Object.entries(body.where).map(([field, condition]) => {
        const filter = filterOn(model, field, condition, clock);
        if (!filter) throw new QuestionError('field-unknown', `\`${field}\`: no such dimension in model \`${model.name}\`.`);
        return filter;
      });
      if (body.dimensions.length + body.measures.length === 0) throw new ProblemError('request-invalid', 'Ask for at least one dimension or measure.');
      const question: GroupsQuestion = {
        kind: 'groups',
        model: model.name,
        dimensions: body.dimensions.map(dimension => (typeof dimension === 'string' ? { field: dimension } : { field: dimension.field, ...(dimension.timeUnit && { timeUnit: dimension.timeUnit }) })),
        measures: body.measures,
        where: allOf(conditions),
        order: body.order,
        limit: body.limit,
        offset: body.offset,
      };
      planQuery(question, model, asker.zone);
      const answer = await answers.ask(question, asker);
      if (request.headers.accept?.includes(arrowMediaType)) {
        return reply.header('content-type', arrowMediaType).serializer(payload => payload as string).send(Buffer.from(encodeArrow(answer.columns)));
      }
      const label = (name: string) => model.dimensions[name]?.label ?? model.measures[name]?.label ?? name;
      return { columns: answer.columns.map(({ name, type }) => ({ name, label: label(name), type })), rows: rowsFrom(answer), total: answer.rowCount };
    },
  };
}
