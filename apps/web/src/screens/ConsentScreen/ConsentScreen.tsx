import { ApiError, type AssistantScope, type AuthorizationRequest } from '@belvedere/api';
import { Button, InlineSelect } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { useEffect, useState } from 'react';
import { QueryState } from '../../accounts/QueryState.tsx';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { words } from '../../accounts/messages/words.ts';
import { useChange } from '../../accounts/use-change.ts';
import { client, useSession } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const satisfies readonly (keyof AuthorizationRequest)[];

/** The request of an assistant, as its address has it. */
function requestOf(address: string): AuthorizationRequest {
  const search = new URLSearchParams(address);
  return Object.fromEntries(
    parameters.flatMap(name => {
      const value = search.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Asks the user whether an assistant may act as them, and within which scope (OAuth). */
export function ConsentScreen() {
  const [request] = useState(() => requestOf(window.location.search));
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['consent', request],
    queryFn: ({ signal }) => client.getConsent({ query: request }, { signal }),
    staleTime: 0,
  });
  const { data: session } = useSession();
  useEffect(() => {
    document.title = `${words.consent.page} · ${t.product}`;
  }, []);
  const refused = error instanceof ApiError ? refusals[error.problem.status] : undefined;
  return (
    <section className="mx-auto mt-[8vh] w-full max-w-[440px] rounded-tile border border-border bg-surface p-6 max-sm:mt-2 max-sm:p-5">
      {refused ? (
        <>
          <h1 className="text-20 font-semibold tracking-[-0.01em]">{words.consent.refused}</h1>
          <p role="alert" className="pt-2 text-text-2">
            {refused()}
          </p>
        </>
      ) : (
        <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
          {data && session ? (
            <Consent request={request} consent={data} user={session.user.email ?? session.user.name} />
          ) : null}
        </QueryState>
      )}
    </section>
  );
}

const refusals: Readonly<Record<number, () => string>> = {
  400: () => words.consent.invalid,
  404: () => words.consent.off,
};

interface ConsentProps {
  readonly request: AuthorizationRequest;
  readonly consent: Awaited<ReturnType<typeof client.getConsent>>;
  readonly user: string;
}

function Consent({ request, consent: { name, site, isProgram, scopes, refusal }, user }: ConsentProps) {
  const [scope, setScope] = useState<AssistantScope>(scopes.includes('explore') ? 'explore' : scopes[0]!);
  const { change, isBusy, problem } = useChange();
  const [isAnswered, setIsAnswered] = useState(false);
  const receiver = isProgram
    ? site === 'localhost'
      ? words.consent.thisDevice
      : words.consent.program(site)
    : site;
  // The address of a program opens beside this page, which stays.
  const leave = (address: string) => {
    setIsAnswered(true);
    window.location.replace(address);
  };
  const allow = () =>
    change(async () => leave((await client.giveConsent({ body: { request, scope } })).address));
  if (isAnswered) return <p role="status">{words.consent.answered}</p>;
  return (
    <>
      <Bot size={24} aria-hidden className="text-text-2" />
      <h1 className="pt-2 text-20 font-semibold tracking-[-0.01em] wrap-anywhere">
        {words.consent.title(name)}
      </h1>
      <p className="pt-0.5 text-text-2 wrap-anywhere">{words.consent.hint(user)}</p>
      <dl className="mt-4 rounded-control border border-border px-3 py-2">
        <dt className="text-12 text-text-2">{words.consent.receiver}</dt>
        <dd className="font-medium wrap-anywhere">{receiver}</dd>
      </dl>
      <p className="pt-2 text-12 text-text-2">{words.consent.warning}</p>
      <div className="pt-4">
        <InlineSelect
          label={words.tokens.scope}
          value={scope}
          options={scopes.map(value => ({ value, label: words.tokens.scopes[value] }))}
          onChange={value => setScope(value as AssistantScope)}
        />
      </div>
      <ul className="list-disc pt-4 pl-5 text-13">
        <li>{words.consent.rows}</li>
        <li>{words.consent.changes[scope === 'write' ? 'some' : 'none']}</li>
        <li>{words.consent.ends}</li>
      </ul>
      <div className="pt-3 empty:hidden">
        <FormProblem problem={problem} />
      </div>
      <div className="flex justify-end gap-2 pt-4">
        <Button isDisabled={isBusy} onPress={() => leave(refusal)}>
          {words.consent.deny}
        </Button>
        <Button look="primary" isDisabled={isBusy} onPress={() => void allow()}>
          {words.consent.allow}
        </Button>
      </div>
    </>
  );
}
