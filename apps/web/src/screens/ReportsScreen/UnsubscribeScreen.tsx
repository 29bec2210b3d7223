import { ApiError } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Link, useParams } from '@tanstack/react-router';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { client } from '../../data/server.ts';
import { words } from '../../reports/messages/words.ts';
import { useReport } from '../../reports/report-data.ts';
import { useReportChange } from '../../reports/use-report-change.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

/** The page to which a mail leads: one button that ends it. */
export function UnsubscribeScreen() {
  const { report: id } = useParams({ from: '/reports/$report/unsubscribe' });
  const { data: report, error } = useReport(id);
  const { change, isBusy, problem } = useReportChange();
  const isGone = error instanceof ApiError && error.problem.status === 404;
  if (error && !isGone) return <ErrorScreen error={error} />;
  const put = (isSubscribed: boolean) =>
    void change(() => client.putSubscription({ params: { id }, body: { isSubscribed } }));
  return (
    <div className="mx-auto max-w-[520px] pt-10">
      <HeaderTitle title={words.settings.title}>
        <span className="truncate text-14 font-semibold">{words.settings.title}</span>
      </HeaderTitle>
      {isGone ? <h1 className="text-20 font-semibold">{words.unsubscribe.gone}</h1> : null}
      {report ? (
        <div className="flex flex-col items-start gap-4">
          <h1 className="text-20 font-semibold wrap-anywhere">
            {report.hasUnsubscribed ? report.title : words.unsubscribe.title(report.title)}
          </h1>
          <p role="status" className="text-text-2">
            {report.hasUnsubscribed
              ? words.unsubscribe.done
              : report.isRecipient
                ? words.unsubscribe.hint
                : words.unsubscribe.gone}
          </p>
          <FormProblem problem={problem} />
          {report.hasUnsubscribed ? (
            <Button isDisabled={isBusy} onPress={() => put(true)}>
              {words.unsubscribe.back}
            </Button>
          ) : report.isRecipient ? (
            <Button look="primary" isDisabled={isBusy} onPress={() => put(false)}>
              {words.unsubscribe.submit}
            </Button>
          ) : null}
        </div>
      ) : null}
      <p className="pt-6">
        <Link to="/settings/subscriptions" className="text-13 underline">
          {words.unsubscribe.all}
        </Link>
      </p>
    </div>
  );
}
