import { stateFromSearch, type GuestView, type OpenDashboard } from '@belvedere/api';
import { Button, Checkbox, InlineSelect, PasswordField, TextField } from '@belvedere/ui';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { describeCondition, fieldFormat, fieldLabel } from '../../dashboard/tiles/describe.ts';
import { client, useDashboard } from '../../data/server.ts';
import { knownSearch } from '../../long-url.ts';
import { refreshAccounts } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { attributesOf, type AttributeRow } from '../users/attribute-rows.ts';
import { AttributeRows } from '../users/AttributeRows.tsx';
import { LinkField } from '../CopyLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { LifeSelect } from './LifeSelect.tsx';
import { useForm } from '../use-form.ts';
import { changesFor, linkFilters, valueNow, type FilterChange } from './link-filters.ts';

interface NewLinkProps {
  readonly dashboard: string;
  /** Row policies apply: what guests see depends on the attributes they are given. */
  readonly isProtected: boolean;
  readonly onClose: () => void;
}

/** Creates a public link, then shows its address once. */
export function NewLink({ dashboard, ...props }: NewLinkProps) {
  const { data, error, isPending, refetch } = useDashboard(dashboard);
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      {data?.document ? <LinkForm dashboard={data} {...props} /> : null}
    </QueryState>
  );
}

/** What the dashboard is filtered by on the page behind the dialog, if it is that page. */
function filtersOnPage(dashboard: string) {
  const isOpen = decodeURIComponent(location.pathname) === `/d/${dashboard}`;
  return isOpen ? stateFromSearch(Object.fromEntries(knownSearch())).state : { filters: {} };
}

function LinkForm({
  dashboard,
  isProtected,
  onClose,
}: Omit<NewLinkProps, 'dashboard'> & { readonly dashboard: OpenDashboard }) {
  const { pages, filters = [] } = dashboard.document!;
  const [state] = useState(() => filtersOnPage(dashboard.id));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [changes, setChanges] = useState<Readonly<Record<string, FilterChange>>>({});
  const [downloads, setDownloads] = useState(false);
  const [days, setDays] = useState(30);
  const [rows, setRows] = useState<readonly AttributeRow[]>([{ key: 0, name: '', value: '' }]);
  const [address, setAddress] = useState<string>();
  const [tryProblem, setTryProblem] = useState<string>();
  const read = attributesOf(rows, {});
  const attributes = 'attributes' in read ? read.attributes : undefined;
  const shown = pages.map(({ title }) => title).filter(title => !left.has(title));
  const isReady = shown.length > 0 && (!isProtected || attributes !== undefined);
  const view = (): GuestView => ({
    ...(left.size > 0 && { pages: shown }),
    filters: linkFilters(filters, changes, state),
    downloads,
    ...(isProtected && attributes && { attributes }),
  });
  const form = useForm({
    fields: ['name', 'passphrase', 'maxOpens'],
    check: (field, values) => {
      const text = values[field].trim();
      if (field === 'name') return text === '' ? words.links.nameNeeded : undefined;
      if (field === 'passphrase')
        return text !== '' && text.length < 8 ? words.links.passphraseShort : undefined;
      return text === '' || /^[1-9]\d{0,5}$/.test(text) ? undefined : words.links.maxOpensWrong;
    },
    submit: async ({ name, passphrase, maxOpens }) => {
      const { secret } = await client.createLink({
        params: { id: dashboard.id },
        body: {
          ...view(),
          name: name.trim(),
          days,
          ...(passphrase.trim() !== '' && { passphrase }),
          ...(maxOpens.trim() !== '' && { maxOpens: Number(maxOpens) }),
        },
      });
      setAddress(new URL(`/s/${secret}`, location.origin).href);
      await refreshAccounts();
    },
  });
  const preview = async () => {
    setTryProblem(undefined);
    // Opened at once: after an answer, browsers take it for a pop-up.
    const page = window.open('', '_blank');
    try {
      const { token } = await client.previewLink({ params: { id: dashboard.id }, body: view() });
      const hash = new URLSearchParams({ token, downloads: String(downloads) }).toString();
      if (page) page.location.href = `/s/preview#${hash}`;
    } catch {
      page?.close();
      setTryProblem(words.links.previewFailed);
    }
  };
  if (address !== undefined)
    return (
      <div className="mt-2 flex flex-col gap-3 rounded-tile border border-border bg-surface p-4">
        <p role="status">{words.links.created}</p>
        <LinkField label={words.links.address} address={address} copy={words.links.copy} />
        <div className="flex justify-end">
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    );
  return (
    <form
      noValidate
      aria-label={words.links.add}
      className="mt-2 flex flex-col gap-4 rounded-tile border border-border bg-surface p-4"
      onSubmit={form.onSubmit}
    >
      <FormProblem problem={form.problem ?? tryProblem} />
      <TextField
        label={words.name}
        hint={words.links.nameHint}
        autoComplete="off"
        maxLength={100}
        autoFocus
        {...form.field('name')}
      />
      {pages.length > 1 ? (
        <fieldset>
          <legend className="pb-1 text-12 text-text-2">{words.links.pages}</legend>
          {pages.map(({ title }) => (
            <Checkbox
              key={title}
              isSelected={!left.has(title)}
              onChange={isShown => {
                const next = new Set(left);
                if (isShown) next.delete(title);
                else next.add(title);
                setLeft(next);
              }}
            >
              {title}
            </Checkbox>
          ))}
          {shown.length === 0 ? (
            <p role="alert" className="text-12 text-bad">
              {words.links.pageNeeded}
            </p>
          ) : null}
        </fieldset>
      ) : null}
      {filters.length > 0 ? (
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1 text-12 text-text-2">{words.links.filters}</legend>
          {filters.map(filter => {
            const value = valueNow(filter, state);
            const label = filter.label ?? fieldLabel(dashboard.models, filter.field);
            const text =
              value === null
                ? words.links.allValues
                : describeCondition(value, fieldFormat(dashboard.models, filter.field));
            return (
              <InlineSelect
                key={filter.field}
                label={label}
                value={changes[filter.field] ?? 'no'}
                options={changesFor(filter, value).map(change => ({
                  value: change,
                  label: words.links.changes[change](text),
                }))}
                onChange={change => setChanges({ ...changes, [filter.field]: change as FilterChange })}
              />
            );
          })}
        </fieldset>
      ) : null}
      {isProtected ? (
        <div>
          <p className="pb-1 text-12 text-text-2">{words.links.protectedHint}</p>
          <AttributeRows
            rows={rows}
            onRows={setRows}
            error={
              'badName' in read
                ? words.attributes.badName
                : 'twice' in read
                  ? words.attributes.twice(read.twice)
                  : undefined
            }
          />
        </div>
      ) : null}
      <Checkbox isSelected={downloads} onChange={setDownloads}>
        {words.links.downloads}
      </Checkbox>
      <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
        <LifeSelect label={words.links.life} days={days} onDays={setDays} />
        <TextField
          label={words.links.maxOpens}
          hint={words.links.optional}
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          {...form.field('maxOpens')}
        />
      </div>
      <PasswordField
        label={words.links.passphrase}
        hint={words.links.passphraseOptional}
        autoComplete="new-password"
        {...form.field('passphrase')}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button isDisabled={!isReady} onPress={() => void preview()}>
          <ExternalLink size={15} aria-hidden />
          {words.links.preview}
        </Button>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={form.isBusy || !isReady}>
          {words.links.submit}
        </Button>
      </div>
    </form>
  );
}
