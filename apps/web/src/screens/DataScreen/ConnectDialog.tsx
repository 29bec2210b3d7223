import type { NewConnection, SourceDetail } from '@belvedere/api';
import { hostPattern } from '@belvedere/document';
import { Button, Modal, TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';
import { readConnectionAddress } from './read-connection-address.ts';

const ports = { postgres: '5432', mysql: '3306', clickhouse: '8123' } as const;
type ServerKind = keyof typeof ports;
const fileKinds = ['duckdb', 'sqlite'] as const;
type FileKind = (typeof fileKinds)[number];
type Kind = ServerKind | FileKind;
const kinds: readonly Kind[] = [...(Object.keys(ports) as ServerKind[]), ...fileKinds];
const isFileKind = (kind: Kind): kind is FileKind => fileKinds.some(one => one === kind);

interface ConnectDialogProps {
  /** The source whose connection is changed; without it a new one is made. */
  readonly source?: SourceDetail;
  readonly onClose: () => void;
}

/**
 * Connects a database, or changes how it is connected: typed in, tried, and saved as a file of the workspace.
 */
export function ConnectDialog({ source, onClose }: ConnectDialogProps) {
  const saved = source?.connection;
  const [kind, setKind] = useState<Kind>(source && source.kind in ports ? (source.kind as Kind) : 'postgres');
  const [fields, setFields] = useState({
    name: source?.label ?? 'warehouse',
    host: saved?.host ?? 'localhost',
    port: saved?.port === undefined ? '' : String(saved.port),
    database: saved?.database ?? '',
    user: saved?.user ?? '',
    password: '',
    path: '',
  });
  const [outcome, setOutcome] = useState<{
    readonly tone: 'good' | 'bad';
    readonly lines: readonly string[];
  }>();
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const set = (field: keyof typeof fields) => (value: string) => {
    setFields({ ...fields, [field]: value });
    setOutcome(undefined);
  };
  const name =
    source?.name ??
    fields.name
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+|_+$/g, '');
  const port = fields.port.trim() === '' ? undefined : Number(fields.port);
  const isPort = port === undefined || (Number.isInteger(port) && port > 0 && port < 65_536);
  const isHost = fields.host.trim() === '' || hostPattern.test(fields.host.trim());
  const isWhole = isFileKind(kind)
    ? name !== '' && fields.path.trim() !== ''
    : name !== '' &&
      isPort &&
      isHost &&
      [fields.host, fields.database, fields.user].every(value => value.trim() !== '');
  const connection = (): NewConnection => ({
    kind: kind as ServerKind,
    host: fields.host.trim(),
    ...(port !== undefined && { port }),
    database: fields.database.trim(),
    user: fields.user.trim(),
    password: fields.password,
  });
  /** What is known by its address is put where it belongs. */
  const takeAddress = (text: string): boolean => {
    const address = readConnectionAddress(text);
    if (!address) return false;
    const { kind: addressed, ...parts } = address;
    if (addressed && !source) setKind(addressed);
    setFields({ ...fields, port: '', ...parts });
    setOutcome(undefined);
    return true;
  };
  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      setOutcome({ tone: 'bad', lines: [problemText(error)] });
    } finally {
      setIsBusy(false);
    }
  };
  const test = () =>
    attempt(async () => {
      const { server, warnings, tables } = await client.testSource({
        body: { ...connection(), ...(source && { source: name }) },
      });
      setOutcome({ tone: 'good', lines: [t.sources.reached(server, tables), ...warnings] });
    });
  const save = () =>
    attempt(async () => {
      const label = fields.name.trim();
      if (isFileKind(kind))
        await client.saveFileSource({ params: { name }, body: { kind, label, path: fields.path.trim() } });
      else
        await client.saveSource({
          params: { name },
          body: {
            ...connection(),
            ...(label !== source?.label && { label }),
          },
          ...(saved && { ifMatch: saved.hash }),
        });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onClose();
      await navigate({ to: '/data/sources/$source', params: { source: name } });
    });
  return (
    <Modal
      label={source ? t.sources.change : t.sources.connect}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-lg"
    >
      <form
        className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-4"
        onSubmit={event => (event.preventDefault(), void (isFileKind(kind) ? isWhole && save() : test()))}
      >
        <h2 className="text-15 font-semibold">{source ? t.sources.change : t.sources.connect}</h2>
        {source ? null : (
          <div className="flex flex-wrap gap-2" role="group" aria-label={t.sources.kind}>
            {kinds.map(one => (
              <Button
                key={one}
                look={one === kind ? 'primary' : 'plain'}
                aria-pressed={one === kind}
                onPress={() => (setKind(one), setOutcome(undefined))}
              >
                {t.sources.kinds[one]}
              </Button>
            ))}
          </div>
        )}
        <TextField label={t.sources.name} value={fields.name} onChange={set('name')} />
        {isFileKind(kind) ? (
          <TextField label={t.sources.path} value={fields.path} onChange={set('path')} />
        ) : (
          <>
            <div className="grid grid-cols-[1fr_7rem] gap-3">
              <TextField
                label={t.sources.host}
                value={fields.host}
                onChange={set('host')}
                onPasteText={takeAddress}
                {...(!isHost && { error: t.sources.hostError })}
              />
              <TextField
                label={t.sources.port}
                value={fields.port}
                onChange={set('port')}
                placeholder={ports[kind]}
                inputMode="decimal"
                {...(!isPort && { error: t.sources.portError })}
              />
            </div>
            <TextField label={t.sources.database} value={fields.database} onChange={set('database')} />
            <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
              <TextField label={t.sources.user} value={fields.user} onChange={set('user')} />
              <TextField
                label={t.sources.password}
                value={fields.password}
                onChange={set('password')}
                type="password"
                {...(saved?.hasPassword && { placeholder: t.sources.unchanged })}
              />
            </div>
          </>
        )}
        <p className="text-12 text-text-2">
          {source ? t.sources.changeHint : isFileKind(kind) ? t.sources.fileHint : t.sources.hint}
        </p>
        {outcome ? (
          <div
            role={outcome.tone === 'bad' ? 'alert' : 'status'}
            className={`rounded-control px-3 py-2 text-13 ${outcome.tone === 'bad' ? 'bg-bad-weak text-bad' : 'bg-good-weak text-text'}`}
          >
            {outcome.lines.map(line => (
              <p key={line}>{line}</p>
            ))}
          </div>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t.cancel}</Button>
          {isFileKind(kind) ? null : (
            <Button type="submit" isDisabled={!isWhole || isBusy}>
              {isBusy ? t.sources.trying : t.sources.test}
            </Button>
          )}
          <Button look="primary" isDisabled={!isWhole || isBusy} onPress={() => void save()}>
            {t.dashboard.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
