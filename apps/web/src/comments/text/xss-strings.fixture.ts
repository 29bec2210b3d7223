const scripts = [
  '<script>hacked()</script>',
  '<img src=x onerror=hacked()>',
  '<svg onload=hacked()>',
  '<svg><script>hacked()</script></svg>',
  '<body onload=hacked()>',
  '<iframe src="javascript:hacked()"></iframe>',
  '<a href="javascript:hacked()">x</a>',
  '<details open ontoggle=hacked()>',
  '<video><source onerror=hacked()></video>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=hacked()></style></mglyph></math>',
  '<style>*{background:url(javascript:hacked())}</style>',
  '<form action="javascript:hacked()"><button>x</button></form>',
  '<object data="data:text/html,<script>hacked()</script>"></object>',
  '<noscript><p title="</noscript><img src=x onerror=hacked()>">',
  '<template><img src=x onerror=hacked()></template>',
  '<input autofocus onfocus=hacked()>',
  '<marquee onstart=hacked()>x</marquee>',
  '<meta http-equiv="refresh" content="0;url=javascript:hacked()">',
  '<base href="javascript:hacked()//">',
  '<link rel=stylesheet href="javascript:hacked()">',
];
const addresses = [
  'javascript:hacked()',
  'JaVaScRiPt:hacked()',
  'java\tscript:hacked()',
  '&#106;avascript:hacked()',
  'javascript&colon;hacked()',
  'data:text/html;base64,PHNjcmlwdD5oYWNrZWQoKTwvc2NyaXB0Pg==',
  'vbscript:hacked()',
  'https://x.example/"onmouseover="hacked()',
  'https://x.example/ "title" onclick=hacked()',
  'https://x.example/%22%3E%3Cimg src=x onerror=hacked()>',
  '//x.example/hacked.js',
  'blob:https://x.example/1',
];
const around: readonly ((text: string) => string)[] = [
  text => text,
  text => `**${text}**`,
  text => `- ${text}\n- b`,
  text => `\`${text}\``,
  text => `\`\`\`x" onload="hacked()\n${text}\n\`\`\``,
  text => `| a |\n| - |\n| ${text} |`,
  text => `[x](https://example.org "${text}")`,
];
const links: readonly ((address: string) => string)[] = [
  address => `[x](${address})`,
  address => `[x](<${address}>)`,
  address => `![x](${address})`,
  address => `<${address}>`,
  address => `[x][1]\n\n[1]: ${address}`,
];

/** Comments that would call `hacked()`, or add an element or an attribute, if they could. */
export const xssStrings: readonly string[] = [
  ...scripts.flatMap(script => around.map(put => put(script))),
  ...addresses.flatMap(address => links.map(put => put(address))),
];
