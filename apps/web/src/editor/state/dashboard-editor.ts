import type { Client, DashboardState, OpenDashboard } from '@belvedere/api';
import { rangeOfPath, type DashboardFile, type Edit, type Path } from '@belvedere/document';
import { inOwnZone } from '../../data/session/own-zone.ts';
import { DashboardStore } from '../../live/dashboard-store.ts';
import {
  DocumentEditor,
  type Backup,
  type DocumentServer,
  type DocumentState,
  type OpenedText,
} from './document-editor.ts';
import { nextShown, type Shown } from '../canvas/canvas-state.ts';

export interface EditorState extends DocumentState<'dashboard'> {
  readonly page: number;
  readonly shown: Shown;
}

/** A server that remembers drafts of dashboards. */
export type EditingClient = Pick<
  Client,
  | 'getDashboardText'
  | 'putDraft'
  | 'dropDraft'
  | 'saveDashboardText'
  | 'getDashboard'
  | 'queryTiles'
  | 'getBrushIndex'
>;

/** The state of the dashboard editor: the current page, its selected tiles, and their results. */
export class DashboardEditor extends DocumentEditor<'dashboard', OpenDashboard, EditorState> {
  readonly #client: EditingClient;
  /** The text from which the shown dashboard was resolved. */
  #made: { readonly text: string; readonly revision: string };

  static async open(id: string, client: EditingClient, backup: Backup): Promise<DashboardEditor> {
    const opened = await client.getDashboardText({ params: { id } });
    const editor = new DashboardEditor(
      id,
      client,
      backup,
      opened,
      await dashboardServer(id, client).made(opened.draft !== undefined),
    );
    editor.resume(opened);
    return editor;
  }

  constructor(
    id: string,
    client: EditingClient,
    backup: Backup,
    opened: OpenedText,
    dashboard: OpenDashboard,
  ) {
    super({
      kind: 'dashboard',
      id,
      server: dashboardServer(id, client),
      backup,
      opened,
      valid: dashboard.document,
      placeholder: { version: 1, title: id, pages: [{ title: id, tiles: {} }] },
      begin: state => {
        const live = new DashboardStore(
          client,
          dashboard,
          inOwnZone(dashboard, { page: 0, filters: {}, selections: {} }),
        );
        return { ...state, page: 0, shown: { dashboard, live } };
      },
    });
    this.#client = client;
    this.#made = { text: this.state.text, revision: dashboard.revision };
    const { live } = this.state.shown;
    this.#addTiles(dashboard, live);
    void live.load();
  }

  /** Skips edits of a tile that another window has removed: they would add it again, incomplete. */
  protected override stillThere(edits: readonly Edit[]): readonly Edit[] {
    return edits.filter(
      ({ path }) =>
        !(path[0] === 'pages' && path[2] === 'tiles' && path.length > 4) || this.#holds(path.slice(0, 4)),
    );
  }

  /**
   * Whether the text has a tile. While the text has an error, the page shows its last valid version, whose
   * tiles may have been removed.
   */
  #holds(path: Path): boolean {
    const { document, problems, text } = this.state;
    if (problems.length > 0) return rangeOfPath(text, path) !== undefined;
    const [, page, , id] = path;
    return Object.hasOwn(document.pages[page as number]?.tiles ?? {}, id as string);
  }

  override close(): void {
    this.state.shown.live.close();
    super.close();
  }

  goTo(page: number): void {
    if (page === this.state.page) return;
    this.store.setState({ page, selected: [] });
    this.setState({ ...this.state.shown.live.state, page, selections: {} });
  }

  /** Filters as they are set while editing; they are not part of the document. */
  setState(state: DashboardState): void {
    const { live, dashboard } = this.state.shown;
    this.#addTiles(dashboard, live, state.page);
    live.setState(inOwnZone(dashboard, state));
  }

  override pathOf(tile: string): Path {
    const { document, page } = this.state;
    const on = document.pages.findIndex(({ tiles }) => Object.hasOwn(tiles, tile));
    return ['pages', on < 0 ? page : on, 'tiles', tile];
  }

  /** Opens the page of a path, and selects its tile. */
  override chooseAt([first, page, third, id]: Path): void {
    const { document } = this.state;
    if (first !== 'pages' || typeof page !== 'number') return;
    if (page < document.pages.length) this.goTo(page);
    if (third === 'tiles' && typeof id === 'string' && id in (document.pages[page]?.tiles ?? {}))
      this.select(id);
  }

  protected override follow(document: DashboardFile): Partial<EditorState> {
    const { page, selected } = this.state;
    const at = Math.min(page, document.pages.length - 1);
    const { tiles } = document.pages[at]!;
    return {
      page: at,
      ...(selected.some(id => !(id in tiles)) && { selected: selected.filter(id => id in tiles) }),
    };
  }

  protected override isNews(dashboard: OpenDashboard): boolean {
    const { shown } = this.state;
    return (
      dashboard.id !== shown.dashboard.id ||
      dashboard.revision !== this.#made.revision ||
      dashboard.state !== shown.dashboard.state
    );
  }

  protected override show(dashboard: OpenDashboard, text: string): void {
    if (this.isClosed) return;
    // The same words, and yet another revision: the data behind them is another.
    const isOtherData = this.#made.text === text && this.#made.revision !== dashboard.revision;
    this.#made = { text, revision: dashboard.revision };
    if (!dashboard.document) {
      this.store.setState({
        shown: {
          ...this.state.shown,
          dashboard: { ...this.state.shown.dashboard, problems: dashboard.problems },
        },
      });
      return;
    }
    const { shown, page } = this.state;
    const next = nextShown(this.#client, shown, dashboard, page, isOtherData);
    if (next !== shown) this.store.setState({ shown: next });
  }

  #addTiles({ document }: OpenDashboard, live: DashboardStore, page = this.state.page): void {
    for (const id of Object.keys(document?.pages[page]?.tiles ?? {})) live.tile(id);
  }
}

function dashboardServer(id: string, client: EditingClient): DocumentServer<OpenDashboard> {
  return {
    open: () => client.getDashboardText({ params: { id } }),
    made: hasDraft => client.getDashboard({ params: { id: hasDraft ? `draft:${id}` : id }, query: {} }),
    putDraft: async (text, base = '', after) => {
      const { version, dashboard } = await client.putDraft({ params: { id }, body: { text, base, after } });
      return { version, made: dashboard };
    },
    dropDraft: () => client.dropDraft({ params: { id } }),
    save: (text, base, message, draft) =>
      client.saveDashboardText({
        params: { id },
        body: { text, message, draft },
        ifMatch: base,
      }),
  };
}
