// Bundles the panel and the gallery's fake host and serves them on the loopback, under the rules that the real page has.
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { themeNames } from './themes.ts';
import { views } from './views.ts';

const here = import.meta.dirname;
/** Git-ignored: bundles and screenshots. */
export const outFolder = join(here, '..', '..', 'out', 'gallery');
const nonce = 'gallery';

async function bundle(): Promise<void> {
  await build({
    entryPoints: { webview: join(here, '..', 'main.tsx'), fakeHost: join(here, 'fakeHost.ts') },
    outdir: outFolder,
    bundle: true,
    format: 'iife',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: 'linked',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}

function page(): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Ratchet panel</title><link rel="stylesheet" href="webview.css"></head>
<body><div id="root"></div>
<script nonce="${nonce}" src="fakeHost.js"></script><script nonce="${nonce}" src="webview.js"></script></body>
</html>`;
}

function index(): string {
  const rows = Object.keys(views).map((view) => {
    const links = themeNames.map((theme) => `<a href="panel?view=${view}&amp;theme=${theme}">${theme}</a>`);
    return `<li>${view}: ${links.join(' ')}</li>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Ratchet gallery</title><ul>${rows.join('')}</ul>`;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

export interface Gallery {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Builds and serves. @param port 0 for any free one */
export async function startGallery(port = 0): Promise<Gallery> {
  await bundle();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    if (pathname === '/' || pathname === '/panel') {
      response.setHeader('content-type', 'text/html');
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; script-src 'nonce-${nonce}'`,
      );
      response.end(pathname === '/' ? index() : page());
      return;
    }
    const type = contentTypes[extname(pathname)];
    readFile(join(outFolder, pathname.slice(1).replaceAll('/', ''))).then(
      (content) => response.setHeader('content-type', type ?? 'application/octet-stream').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The gallery has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
