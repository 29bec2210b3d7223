import { lazyComponent } from '@belvedere/ui';
import type { Search } from '@belvedere/api';
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { browserHistory } from './long-url.ts';
import { DashboardScreen } from './screens/DashboardScreen/DashboardScreen.tsx';
import { ErrorScreen, NotFoundScreen } from './screens/ErrorScreens.tsx';
import { lazyWithAlertWords } from './alerts/messages/words.ts';
import { lazyWithCommentWords } from './comments/messages/words.ts';
import { lazyWithChannelWords } from './channels/messages/words.ts';
import { lazyWithWords } from './accounts/lazy-with-words.ts';
import { withAccounts } from './accounts/with-accounts.tsx';
import { lazyWithRelationshipWords } from './relationships/messages/words.ts';
import { lazyWithReportWords } from './reports/messages/words.ts';
import { Root } from './shell/Root.tsx';
import { ScreenSkeleton } from './shell/ScreenSkeleton.tsx';

const EditorScreen = lazyComponent(() =>
  import('./screens/EditorScreen/EditorScreen.tsx').then(module => module.EditorScreen),
);
const ExploreModelsScreen = lazyComponent(() =>
  import('./screens/ExploreScreen/ExploreModelsScreen.tsx').then(module => module.ExploreModelsScreen),
);
const ExploreScreen = lazyComponent(() =>
  import('./screens/ExploreScreen/ExploreScreen.tsx').then(module => module.ExploreScreen),
);
const HomeScreen = lazyComponent(() =>
  import('./screens/HomeScreen/HomeScreen.tsx').then(module => module.HomeScreen),
);
const DataScreen = lazyComponent(() =>
  import('./screens/DataScreen/DataScreen.tsx').then(module => module.DataScreen),
);
const TableScreen = lazyComponent(() =>
  import('./screens/TableScreen/TableScreen.tsx').then(module => module.TableScreen),
);
const ModelScreen = lazyWithRelationshipWords(() =>
  import('./screens/ModelScreen/ModelScreen.tsx').then(module => module.ModelScreen),
);
const SqlScreen = lazyComponent(() =>
  import('./screens/SqlScreen/SqlScreen.tsx').then(module => module.SqlScreen),
);
const SourceScreen = lazyComponent(() =>
  import('./screens/SourceScreen/SourceScreen.tsx').then(module => module.SourceScreen),
);

const RelationshipsScreen = lazyWithRelationshipWords(() =>
  import('./screens/RelationshipsScreen/RelationshipsScreen.tsx').then(module => module.RelationshipsScreen),
);

const SettingsScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/SettingsScreen.tsx').then(module => module.SettingsScreen),
);
const TrashScreen = lazyComponent(() =>
  import('./screens/TrashScreen/TrashScreen.tsx').then(module => module.TrashScreen),
);
const SearchScreen = lazyComponent(() =>
  import('./screens/SearchScreen/SearchScreen.tsx').then(module => module.SearchScreen),
);
const ProfileScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/profile/ProfileScreen.tsx').then(module => module.ProfileScreen),
);
const PeopleScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/users/PeopleScreen.tsx').then(module => module.PeopleScreen),
);
const PermissionsScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/users/PermissionsScreen.tsx').then(module => module.PermissionsScreen),
);
const GroupsScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/users/GroupsScreen.tsx').then(module => module.GroupsScreen),
);
const AuditScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/system/AuditScreen.tsx').then(module => module.AuditScreen),
);
const JobsScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/system/JobsScreen.tsx').then(module => module.JobsScreen),
);
const ProvidersScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/connections/ProvidersScreen.tsx').then(module => module.ProvidersScreen),
);
const SystemScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/system/SystemScreen.tsx').then(module => module.SystemScreen),
);
const SignInScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/SignInScreen.tsx').then(module => module.SignInScreen),
);
const SetupScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/SetupScreen.tsx').then(module => module.SetupScreen),
);
const ForgotScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/ForgotScreen.tsx').then(module => module.ForgotScreen),
);
const EmailScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/EmailScreen.tsx').then(module => module.EmailScreen),
);
const SignedInScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/SignedInScreen.tsx').then(module => module.SignedInScreen),
);
const InviteScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/InviteScreen.tsx').then(module => module.InviteScreen),
);
const ResetScreen = lazyWithWords(() =>
  import('./screens/SignInScreen/ResetScreen.tsx').then(module => module.ResetScreen),
);

const ConsentScreen = lazyWithWords(() =>
  import('./screens/ConsentScreen/ConsentScreen.tsx').then(module => module.ConsentScreen),
);
const GuestScreen = lazyWithWords(() =>
  import('./screens/GuestScreen/GuestScreen.tsx').then(module => module.GuestScreen),
);
const EmbedScreen = lazyWithWords(() =>
  import('./screens/EmbedScreen/EmbedScreen.tsx').then(module => module.EmbedScreen),
);
const ChannelsScreen = lazyWithChannelWords(() =>
  import('./screens/SettingsScreen/connections/ChannelsScreen.tsx').then(module => module.ChannelsScreen),
);
const MailScreen = lazyWithChannelWords(() =>
  import('./screens/SettingsScreen/connections/MailScreen.tsx').then(module => module.MailScreen),
);
const EmbeddingScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/sharing/EmbeddingScreen.tsx').then(module => module.EmbeddingScreen),
);
const InboxScreen = lazyWithCommentWords(() =>
  import('./screens/InboxScreen/InboxScreen.tsx').then(module => module.InboxScreen),
);
const AlertsScreen = lazyWithAlertWords(() =>
  import('./screens/AlertsScreen/AlertsScreen.tsx').then(module => module.AlertsScreen),
);
const AlertScreen = lazyWithAlertWords(() =>
  import('./screens/AlertsScreen/AlertScreen.tsx').then(module => module.AlertScreen),
);
const AlertEditorScreen = lazyWithAlertWords(() =>
  import('./screens/AlertsScreen/AlertEditorScreen.tsx').then(module => module.AlertEditorScreen),
);
const NewAlertScreen = lazyWithAlertWords(() =>
  import('./screens/AlertsScreen/AlertEditorScreen.tsx').then(module => module.NewAlertScreen),
);
const LinksScreen = lazyWithWords(() =>
  import('./screens/SettingsScreen/sharing/LinksScreen.tsx').then(module => module.LinksScreen),
);

const ReportsScreen = lazyWithReportWords(() =>
  import('./screens/ReportsScreen/ReportsScreen.tsx').then(module => module.ReportsScreen),
);
const ReportScreen = lazyWithReportWords(() =>
  import('./screens/ReportsScreen/ReportScreen.tsx').then(module => module.ReportScreen),
);
const ReportEditorScreen = lazyWithReportWords(() =>
  import('./screens/ReportsScreen/ReportEditorScreen.tsx').then(module => module.ReportEditorScreen),
);
const NewReportScreen = lazyWithReportWords(() =>
  import('./screens/ReportsScreen/ReportEditorScreen.tsx').then(module => module.NewReportScreen),
);
const UnsubscribeScreen = lazyWithReportWords(() =>
  import('./screens/ReportsScreen/UnsubscribeScreen.tsx').then(module => module.UnsubscribeScreen),
);
const SubscriptionsScreen = lazyWithReportWords(() =>
  import('./screens/SettingsScreen/sharing/SubscriptionsScreen.tsx').then(
    module => module.SubscriptionsScreen,
  ),
);

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => <NotFoundScreen />,
  errorComponent: ErrorScreen,
});
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen });
const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/d/$dashboard',
  validateSearch: (search): Search => search as Search,
  component: DashboardScreen,
});
const editor = createRoute({
  getParentRoute: () => root,
  path: '/d/$dashboard/edit',
  component: EditorScreen,
});
/** A dashboard in a folder, its slashes as people type them and as programs of mail rewrite them. */
const inFolder = createRoute({
  getParentRoute: () => root,
  path: '/d/$',
  validateSearch: (search): Search => search as Search,
  beforeLoad: ({ params, search }) => {
    const [, id = '', isEdited] = /^(.*?)(\/edit)?\/?$/.exec(params._splat ?? '')!;
    throw isEdited
      ? redirect({ to: '/d/$dashboard/edit', params: { dashboard: id }, replace: true })
      : redirect({ to: '/d/$dashboard', params: { dashboard: id }, search, replace: true });
  },
});
const exploreModels = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: ExploreModelsScreen,
});
const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore/$model',
  validateSearch: (search): Search => search as Search,
  component: ExploreScreen,
});
const data = createRoute({
  getParentRoute: () => root,
  path: '/data',
  validateSearch: ({ connect }: { connect?: unknown }): { readonly connect?: string } =>
    typeof connect === 'string' ? { connect } : {},
  component: DataScreen,
});
const model = createRoute({ getParentRoute: () => root, path: '/models/$model', component: ModelScreen });
const sql = createRoute({
  getParentRoute: () => root,
  path: '/sql/$source',
  validateSearch: ({ model }: { model?: unknown }): { readonly model?: string } =>
    typeof model === 'string' ? { model } : {},
  component: SqlScreen,
});
/** Typed by hand, without a source. */
const sqlOnFiles = createRoute({
  getParentRoute: () => root,
  path: '/sql',
  beforeLoad: () => {
    throw redirect({ to: '/sql/$source', params: { source: 'files' }, search: {}, replace: true });
  },
});
const source = createRoute({
  getParentRoute: () => root,
  path: '/data/sources/$source',
  component: SourceScreen,
});
const table = createRoute({ getParentRoute: () => root, path: '/data/files/$table', component: TableScreen });
/** Typed by hand: what a source is called is enough to find it, with or without one of its tables. */
const sourceByName = (path: '/data/$source' | '/data/$source/$table') =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: ({ params: { source: name } }) => {
      throw name === 'files'
        ? redirect({ to: '/data', search: {}, replace: true })
        : redirect({ to: '/data/sources/$source', params: { source: name }, replace: true });
    },
  });
const typedSource = sourceByName('/data/$source');
const typedSourceTable = sourceByName('/data/$source/$table');

const relationships = createRoute({
  getParentRoute: () => root,
  path: '/data/relationships/$source',
  validateSearch: ({ view }: { view?: unknown }): { readonly view?: 'diagram' | 'table' } =>
    view === 'diagram' || view === 'table' ? { view } : {},
  component: RelationshipsScreen,
});

const settings = createRoute({ getParentRoute: () => root, path: '/settings', component: SettingsScreen });
const profile = createRoute({
  getParentRoute: () => root,
  path: '/settings/profile',
  validateSearch: (search: Readonly<Record<string, unknown>>) => textsIn(search, ['problem', 'provider']),
  component: withAccounts(ProfileScreen),
});
const people = createRoute({
  getParentRoute: () => root,
  path: '/settings/people',
  component: withAccounts(PeopleScreen),
});
const groups = createRoute({
  getParentRoute: () => root,
  path: '/settings/groups',
  component: withAccounts(GroupsScreen),
});
const permissions = createRoute({
  getParentRoute: () => root,
  path: '/settings/permissions',
  component: withAccounts(PermissionsScreen),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/settings/audit',
  component: withAccounts(AuditScreen),
});
const jobs = createRoute({ getParentRoute: () => root, path: '/settings/jobs', component: JobsScreen });
const system = createRoute({
  getParentRoute: () => root,
  path: '/settings/system',
  component: SystemScreen,
});
const providers = createRoute({
  getParentRoute: () => root,
  path: '/settings/sign-in',
  component: withAccounts(ProvidersScreen),
});
const mail = createRoute({ getParentRoute: () => root, path: '/settings/mail', component: MailScreen });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Readonly<Record<string, unknown>>) =>
    textsIn(search, ['next', 'problem', 'provider']),
  component: SignInScreen,
});
/** What people type. */
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    throw redirect({ to: '/sign-in', search: {}, replace: true });
  },
});
const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  validateSearch: (search: Readonly<Record<string, unknown>>) =>
    textsIn(search, ['for', 'problem', 'provider']),
  component: SignedInScreen,
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: ForgotScreen,
});
const email = createRoute({
  getParentRoute: () => root,
  path: '/email/$token',
  component: EmailScreen,
});
const setup = createRoute({ getParentRoute: () => root, path: '/setup', component: SetupScreen });
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: InviteScreen,
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  component: ResetScreen,
});
const consent = createRoute({
  getParentRoute: () => root,
  path: '/oauth/authorize',
  component: withAccounts(ConsentScreen),
});
const guest = createRoute({
  getParentRoute: () => root,
  path: '/s/$secret',
  validateSearch: (search): Search => search as Search,
  component: GuestScreen,
});
const embed = createRoute({
  getParentRoute: () => root,
  path: '/embed/$',
  validateSearch: (search): Search => search as Search,
  component: EmbedScreen,
});
const channels = createRoute({
  getParentRoute: () => root,
  path: '/settings/channels',
  validateSearch: ({ channel }: { channel?: unknown }): { readonly channel?: string } =>
    typeof channel === 'string' ? { channel } : {},
  component: ChannelsScreen,
});
const embedding = createRoute({
  getParentRoute: () => root,
  path: '/settings/embedding',
  component: withAccounts(EmbeddingScreen),
});
const links = createRoute({
  getParentRoute: () => root,
  path: '/settings/links',
  component: withAccounts(LinksScreen),
});
const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: withAccounts(InboxScreen),
});
const alerts = createRoute({ getParentRoute: () => root, path: '/alerts', component: AlertsScreen });
const newAlert = createRoute({
  getParentRoute: () => root,
  path: '/alerts/new',
  validateSearch: (search): Search => search as Search,
  component: NewAlertScreen,
});
const alert = createRoute({ getParentRoute: () => root, path: '/alerts/$alert', component: AlertScreen });
const alertEditor = createRoute({
  getParentRoute: () => root,
  path: '/alerts/$alert/edit',
  component: AlertEditorScreen,
});
const reports = createRoute({ getParentRoute: () => root, path: '/reports', component: ReportsScreen });
const newReport = createRoute({
  getParentRoute: () => root,
  path: '/reports/new',
  validateSearch: (search: Readonly<Record<string, unknown>>) => textsIn(search, ['dashboard', 'copy']),
  component: NewReportScreen,
});
const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$report',
  component: ReportScreen,
});
const reportEditor = createRoute({
  getParentRoute: () => root,
  path: '/reports/$report/edit',
  component: ReportEditorScreen,
});
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/reports/$report/unsubscribe',
  component: UnsubscribeScreen,
});
const subscriptions = createRoute({
  getParentRoute: () => root,
  path: '/settings/subscriptions',
  component: withAccounts(SubscriptionsScreen),
});
const trash = createRoute({ getParentRoute: () => root, path: '/trash', component: TrashScreen });
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q }: { q?: unknown }): { readonly q: string } => ({ q: typeof q === 'string' ? q : '' }),
  component: SearchScreen,
});

/** The texts of a search with these names. */
function textsIn<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const found = names.flatMap(name => {
    const value = search[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found) as { readonly [name in Name]?: string };
}

export const router = createRouter({
  history: browserHistory,
  routeTree: root.addChildren([
    home,
    dashboard,
    editor,
    inFolder,
    exploreModels,
    explore,
    model,
    sql,
    sqlOnFiles,
    data,
    source,
    table,
    typedSource,
    typedSourceTable,
    relationships,
    settings,
    profile,
    people,
    groups,
    permissions,
    audit,
    providers,
    mail,
    jobs,
    system,
    trash,
    search,
    signIn,
    login,
    signedIn,
    forgot,
    email,
    setup,
    invite,
    reset,
    consent,
    guest,
    embed,
    links,
    embedding,
    channels,
    inbox,
    alerts,
    newAlert,
    alert,
    alertEditor,
    reports,
    newReport,
    report,
    reportEditor,
    unsubscribe,
    subscriptions,
  ]),
  defaultErrorComponent: ErrorScreen,
  // The router's own boundaries show it while a screen's code loads. Those around an `Outlet` never do.
  defaultPendingComponent: ScreenSkeleton,
  // Back goes to where one was on a page, too.
  scrollRestoration: true,
  // Addresses stay readable: every value is the text it looks like, never JSON.
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const text = new URLSearchParams(Object.entries(search as Search))
      .toString()
      .replaceAll('%5B', '[')
      .replaceAll('%5D', ']')
      .replaceAll('%22', '"')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',');
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
