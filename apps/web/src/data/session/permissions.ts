import { includesLevel, isAtLeast, type DashboardSummary, type Level, type Session } from '@belvedere/api';

/** What the interface offers a user; the server decides by itself what it allows. */
export interface Permissions {
  /** Questions to models: Explore, and charts by their words. */
  readonly explore: boolean;
  /** New dashboards, and the trash. */
  readonly create: boolean;
  /** Data, SQL and models. */
  readonly data: boolean;
  /** Databases, users, groups and the audit log. */
  readonly administer: boolean;
  /** Sharing, accounts and sessions exist. */
  readonly team: boolean;
}

const nothing: Permissions = {
  explore: false,
  create: false,
  data: false,
  administer: false,
  team: false,
};

/** @param session undefined until it is known, when nothing is offered yet */
export function permissionsOf(
  session: Pick<Session, 'mode' | 'role'> | undefined,
  isViewingAs: boolean,
): Permissions {
  if (!session || isViewingAs) return nothing;
  return {
    explore: isAtLeast(session.role, 'explorer'),
    create: isAtLeast(session.role, 'editor'),
    data: isAtLeast(session.role, 'maker'),
    administer: isAtLeast(session.role, 'admin'),
    team: session.mode === 'team',
  };
}

/** Whether a dashboard or model may be used at a level. Servers that name no level allow all. */
export function isAllowed({ level }: { readonly level?: Level | undefined }, required: Level): boolean {
  return includesLevel(level ?? 'manage', required);
}

/** Whether a dashboard can be edited; an overview is edited as a new dashboard. */
export function isEditable(
  dashboard: Pick<DashboardSummary, 'origin' | 'level'>,
  permissions: Permissions,
): boolean {
  return permissions.create && (dashboard.origin === 'overview' || isAllowed(dashboard, 'edit'));
}

/** Whether a dashboard can be shared with others. Overviews are not: their models are. */
export function isShareable(
  dashboard: Pick<DashboardSummary, 'origin' | 'level'>,
  { team, create }: Permissions,
): boolean {
  return team && create && dashboard.origin === 'saved' && isAllowed(dashboard, 'manage');
}
