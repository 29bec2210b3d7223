import { formatNumber } from '@belvedere/chart';
import { Button, IconButton, Menu } from '@belvedere/ui';
import { Download, History, ListTree, Play, Save, Square, WandSparkles } from 'lucide-react';
import { client } from '../../data/server.ts';
import { startDownload } from '../../downloads/download-store.ts';
import { words } from '../../editor/messages/words.ts';
import { locale, t } from '../../messages/messages.ts';
import type { RunStatement } from '../../sql/sql-history.ts';

const maxHistoryEntries = 20;
const maxLabelLength = 70;

interface SqlActionsProps {
  readonly source: string;
  /** Whether there is no text to run. */
  readonly isEmpty: boolean;
  readonly isRunning: boolean;
  /** The statement of the shown result, if there is one. */
  readonly resultSql: string | undefined;
  readonly history: readonly RunStatement[];
  readonly onRun: () => void;
  readonly onCancel: () => void;
  readonly onFormat: () => void;
  readonly onHistory: (sql: string) => void;
  readonly onSaveModel: () => void;
  /** Opens the tables, where there is no room for them beside the text. */
  readonly onTables: (() => void) | undefined;
}

/** The buttons of the SQL screen's header. */
export function SqlActions(props: SqlActionsProps) {
  const { source, isEmpty, isRunning, resultSql, history } = props;
  return (
    <span className="ms-auto flex items-center gap-1.5 max-sm:gap-0.5">
      {props.onTables ? (
        <IconButton label={words.sql.tables} onPress={props.onTables}>
          <ListTree size={16} aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={words.sql.format} isDisabled={isEmpty} onPress={props.onFormat}>
        <WandSparkles size={16} aria-hidden />
      </IconButton>
      {history.length > 0 ? <HistoryMenu history={history} onHistory={props.onHistory} /> : null}
      {resultSql === undefined ? null : <ExportMenu source={source} sql={resultSql} />}
      <Button isDisabled={resultSql === undefined || isEmpty} onPress={props.onSaveModel}>
        <Save size={14} aria-hidden />
        <span className="max-md:sr-only">{words.sql.saveModel}</span>
      </Button>
      {isRunning ? (
        <Button onPress={props.onCancel}>
          <Square size={13} aria-hidden />
          <span className="max-sm:sr-only">{words.sql.stop}</span>
        </Button>
      ) : (
        <Button look="primary" isDisabled={isEmpty} onPress={props.onRun}>
          <Play size={14} aria-hidden />
          <span className="max-sm:sr-only">{words.sql.run}</span>
        </Button>
      )}
    </span>
  );
}

function HistoryMenu({ history, onHistory }: Pick<SqlActionsProps, 'history' | 'onHistory'>) {
  const label = ({ sql, rows }: RunStatement) =>
    `${sql.replace(/\s+/g, ' ').slice(0, maxLabelLength)} · ` +
    words.sql.rows(formatNumber(rows, 'integer', locale, 'full'));
  return (
    <Menu
      label={words.sql.history}
      icon={<History size={16} aria-hidden />}
      groups={() => [
        history.slice(0, maxHistoryEntries).map((statement, i) => ({
          id: String(i),
          label: label(statement),
          onAction: () => onHistory(statement.sql),
        })),
      ]}
    />
  );
}

/** Exports all rows of a statement, more than the page shows. */
function ExportMenu({ source, sql }: { readonly source: string; readonly sql: string }) {
  return (
    <Menu
      label={words.sql.export}
      icon={<Download size={16} aria-hidden />}
      groups={() => [
        (['csv', 'xlsx', 'parquet'] as const).map(format => ({
          id: format,
          label: t.formats[format],
          onAction: () =>
            startDownload(format, `${source}.${format}`, signal =>
              client.exportSql({ params: { name: source }, body: { sql, format, locale } }, { signal }),
            ),
        })),
      ]}
    />
  );
}
