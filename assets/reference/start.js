// Starts the API reference (Scalar) with the server's three OpenAPI documents. If the page has a bot token, the token
// is in the attribute `data-bot-token` of the element with the id `reference`.
'use strict';

const main = document.getElementById('reference');

Scalar.createApiReference(main, {
  sources: [
    { title: 'Bot API', slug: 'bot', url: '/openapi/bot-3.1.json', default: true },
    { title: 'Assistant connections', slug: 'assistant', url: '/openapi/assistant-3.1.json' },
    { title: 'Admin API', slug: 'admin', url: '/openapi/admin-3.1.json' },
  ],
  // without Scalar's proxy, telemetry, fonts and agent, the browser sends requests to this server only
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultOpenFirstTag: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true, clojure: true, csharp: true, dart: true, fsharp: true, http: true, java: true, javascript: true, js: true,
    julia: true, kotlin: true, objc: true, ocaml: true, php: true, powershell: true, r: true, ruby: true, rust: true, swift: true,
    node: ['axios', 'ofetch', 'undici'], python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'], shell: ['httpie', 'wget'],
  },
  authentication: {
    preferredSecurityScheme: 'botToken',
    securitySchemes: main.dataset.botToken ? { botToken: { token: main.dataset.botToken } } : {},
  },
});

// Long samples scroll, and elements that scroll must be reachable by the keyboard (WCAG 2.1.1).
const reach = () => {
  for (const code of document.querySelectorAll('code.custom-scroll:not([tabindex]), pre.custom-scroll:not([tabindex])')) {
    code.tabIndex = 0;
  }
};
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
reach();
