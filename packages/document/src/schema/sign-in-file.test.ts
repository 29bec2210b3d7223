import { expect, test } from 'vitest';
import { readDocument } from '../read-document.ts';

const provider = (more: string) => `version: 1
signIn:
  providers:
    - id: company
      name: Company
      issuer: https://login.example.org
      clientId: b
${more}`;
const problemsOf = (text: string) => {
  const read = readDocument('workspace', text, 'belvedere.yaml');
  return read.ok ? [] : read.problems.map(({ line, message }) => `${line}: ${message}`);
};

test('a provider of sign-ins may map groups, roles and attributes', () => {
  const more = `      clientSecret: \${env:BELVEDERE_OIDC_SECRET}
      createAccounts: true
      domains: [Example.org]
      groups: { /sales: Sales }
      roles: { admins: admin }
      attributes: { region: office.region }
`;
  expect(problemsOf(provider(more))).toEqual([]);
});

test.each([
  ['      clientSecret: plain-secret\n', /8: Invalid value .*a reference such as/],
  ['      clientSecret: ${env:HOME}\n', /8: Invalid value .*BELVEDERE_OIDC_SECRET/],
  ['      clientSecret: ${file:.belvedere/secrets/warehouse}\n', /8: Invalid value .*oidc-NAME/],
  ['      createAccounts: true\n', /`domains` is missing/],
  ['      roles: { all: owner }\n', /`owner` is not one of viewer, explorer, editor, maker, admin/],
  ['      defaultRole: owner\n', /`owner` is not one of/],
  ['      atributes: {}\n', /Unknown property `atributes`; did you mean `attributes`/],
  ['    - { id: company, name: B, issuer: "https://b.example.org", clientId: b }\n', /id.*once/],
  ['    - { id: other, name: B, issuer: "https://login.example.org", clientId: b }\n', /issuer.*once/],
  ['    - { id: other, name: B, issuer: "http://b.example.org", clientId: b }\n', /an `https:` address/],
  ['    - { id: other, name: B, issuer: "https://u:p@b.example.org", clientId: b }\n', /an `https:` address/],
])('a provider with %j is refused', (more, message) => {
  expect(problemsOf(provider(more)).join('\n')).toMatch(message);
});

test('passwords are turned off only beside a provider', () => {
  expect(problemsOf('signIn: { password: false }\n').join()).toContain('there must be a provider');
  expect(problemsOf(`${provider('')}  password: false\n`)).toEqual([]);
});

test('the mail server has no user or password in the file', () => {
  expect(problemsOf('mail: { server: "smtp://relay:25", from: "B <b@example.org>" }\n')).toEqual([]);
  expect(problemsOf('mail: { server: "smtp://u:p@relay" }\n').join()).toContain('without user or password');
  expect(problemsOf('mail: { from: "b@example.org\\nBcc: c@example.org" }\n').join()).toContain('an address');
});
