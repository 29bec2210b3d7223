/**
 * The steps that files of Belvedere 0.1 went through, counted by SQLite's `user_version`. Files of any of
 * these versions are brought to the last of them, where the migrations begin. Never changes.
 */
export const stepsBeforeKysely: readonly string[] = [
  `create table revision (number integer primary key, file text not null, at text not null, origin text not null, message text not null, hash text not null, text text not null) strict;
   create index revision_of_file on revision (file, number);
   create table draft (dashboard text primary key, text text not null, base text not null, version integer not null, at text not null) strict;
   create table binned (number integer primary key, dashboard text not null, title text not null, at text not null, files text not null) strict;`,
  'alter table draft rename column dashboard to document',
  `create table favourite (owner text not null, dashboard text not null, at text not null, primary key (owner, dashboard)) strict;
   create table recent (owner text not null, dashboard text not null, at text not null, state text, primary key (owner, dashboard)) strict;
   create table view (owner text not null, dashboard text not null, name text not null, at text not null, state text not null, primary key (owner, dashboard, name)) strict;`,
  `create table note (id integer primary key, dashboard text not null, start text not null, below text, text text not null, at text not null) strict;
   create index note_of_dashboard on note (dashboard, start);`,
  'create table session (hash text primary key, created integer not null, used integer not null) strict',
  'create table clock (seen integer not null) strict',
];
