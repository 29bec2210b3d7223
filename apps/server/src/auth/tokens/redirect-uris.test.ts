import { describe, expect, test } from 'vitest';
import { isRegistered, receiverOf } from './redirect-uris.ts';

describe('the receiver of a redirect URI', () => {
  test.each([
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai', false],
    ['https://chatgpt.com:8443/connector?x=1', 'chatgpt.com:8443', false],
    ['http://localhost:33418/', 'localhost', true],
    ['http://127.0.0.1:6274/oauth/callback', 'localhost', true],
    ['http://[::1]:80/', 'localhost', true],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:', true],
    ['com.example.assistant://callback', 'com.example.assistant:', true],
  ])('%s is %s', (uri, site, isProgram) => {
    expect(receiverOf(uri)).toEqual({ site, isProgram });
  });

  test.each([
    '',
    'claude.ai/callback',
    '//claude.ai/callback',
    'http://claude.ai/callback',
    'http://localhost.evil.example/',
    'http://127.0.0.1@evil.example/',
    'https://claude.ai@evil.example/',
    'https://claude.ai/callback#code',
    'https://evil.example\\@claude.ai/',
    'https:evil.example',
    'HTTPS://claude.ai/',
    'https://claude.ai/\n',
    'https://clаude.ai/',
    'https://',
    'javascript://x/%0aalert(1)',
    'data://text/html,x',
    'file:///etc/passwd',
    'blob://x/y',
    'about://blank',
    'ms-settings://x/',
    'view-source://x/',
    'intent://x/',
  ])('%j has none', uri => {
    expect(receiverOf(uri)).toBeUndefined();
  });
});

describe('a redirect URI is registered', () => {
  const registered = ['https://claude.ai/cb', 'http://127.0.0.1:1234/cb', 'http://localhost/'];

  test.each([
    'https://claude.ai/cb',
    'http://127.0.0.1:1234/cb',
    'http://127.0.0.1:9/cb',
    'http://127.0.0.1/cb',
    'http://localhost:8080/',
  ])('%s', uri => {
    expect(isRegistered(uri, registered)).toBe(true);
  });

  test.each([
    'https://claude.ai/cb/',
    'https://claude.ai/cb?x=1',
    'https://claude.ai:444/cb',
    'https://CLAUDE.ai/cb',
    'http://127.0.0.1:1234/cb/..',
    'http://127.0.0.1:1234@evil.example/cb',
    'http://localhost:1234/cb',
    'http://localhost:80.evil.example/',
    'http://localhost.evil.example/',
  ])('but not %s', uri => {
    expect(isRegistered(uri, registered)).toBe(false);
  });
});
