import type { ChangedProvider } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { changedProvider, idFromName, providerDraft, wrongProviderFields } from './provider-draft.ts';

const simple: ChangedProvider = { name: 'Company', issuer: 'https://login.example.org', clientId: 'b' };
const full: ChangedProvider = {
  ...simple,
  clientAuthentication: 'post',
  scopes: ['email', 'groups'],
  domains: ['example.org', 'example.com'],
  createAccounts: true,
  assumeEmailVerified: true,
  defaultRole: 'explorer',
  groupsClaim: 'realm_access.roles',
  groups: { '/sales': 'Sales' },
  roles: { admins: 'admin' },
  attributes: { region: 'office.region' },
};
const known = (provider: ChangedProvider) => ({
  id: 'company',
  provider,
  hasSecret: true,
  setBy: 'owner' as const,
  state: 'active' as const,
  version: '1',
});

describe('the form of a sign-in provider', () => {
  test.each([simple, full])('sends again what it has read: %j', provider => {
    expect(changedProvider(providerDraft(known(provider)))).toEqual(provider);
  });

  test('leaves out rows without a name, and sends a secret only if one was typed', () => {
    const draft = providerDraft(known(simple));
    const rows = [
      { key: 0, name: ' ', value: 'Sales' },
      { key: 1, name: 'hr', value: 'HR ' },
    ];
    expect(changedProvider({ ...draft, groups: rows, clientSecret: ' s ' })).toEqual({
      ...simple,
      clientSecret: 's',
      groups: { hr: 'HR' },
    });
  });

  test('names the fields that are missing or wrong', () => {
    expect([...wrongProviderFields(providerDraft(undefined), [])]).toEqual([
      'id',
      'name',
      'issuer',
      'clientId',
    ]);
    const draft = providerDraft(known(simple));
    expect([...wrongProviderFields(draft, [])]).toEqual([]);
    expect([...wrongProviderFields(draft, ['company'])]).toEqual(['id']);
    expect([...wrongProviderFields({ ...draft, createAccounts: true }, [])]).toEqual(['domains']);
    expect([...wrongProviderFields({ ...draft, issuer: 'login.example.org' }, [])]).toEqual(['issuer']);
  });

  test.each([
    ['Company login', 'company_login'],
    ['Ärzte & Co.', 'arzte_co'],
    ['4 Winds', 'winds'],
    ['公司', ''],
  ])('makes of %s the ID “%s”', (name, id) => {
    expect(idFromName(name)).toBe(id);
  });
});
