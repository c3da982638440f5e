/** The service worker: the client, the lesson and the rules open without a network.
 *
 * Whoever has a network gets everything from the server, so an upgrade is there at once; what is kept is for those who
 * have none. Of the interface only the rules and the list of games are kept: nothing that a table says ever is.
 */

interface Extendable extends Event {
  waitUntil: (done: Promise<unknown>) => void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
interface Host {
  readonly clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: ((kind: "install" | "activate", heard: (event: Extendable) => void) => void) &
    ((kind: "fetch", heard: (event: Fetching) => void) => void);
}
// Both are written here when the client is built (offline/keep.ts).
declare const __FILES: readonly string[];
declare const __VERSION: string;

const host = self as unknown as Host;
const FILES = new Set(__FILES);
const SHELL = `bullpen-client-${__VERSION}`;
const WORDS = "bullpen-words";
const DOCUMENT = "/index.html";
/** So long we wait for a network that is there but says nothing, before we show what we have. */
const PATIENCE = 5000;
const SPOKEN = /^\/api\/(?:games(?:\/[^/]+\/rules)?|rules)$/;

host.addEventListener("install", (event) => event.waitUntil(install()));
host.addEventListener("activate", (event) => event.waitUntil(activate()));
host.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (SPOKEN.test(url.pathname)) event.respondWith(spoken(request));
  else if (url.pathname.startsWith("/assets/") && FILES.has(url.pathname))
    event.respondWith(unchanging(request));
  else if (FILES.has(url.pathname)) event.respondWith(fresh(request, url.pathname));
});

/** Keep the client; a file whose name carries no hash may be an older one's, so the server is asked. */
async function install(): Promise<void> {
  const cache = await caches.open(SHELL);
  const cached = (path: string): RequestCache => (path.startsWith("/assets/") ? "default" : "no-cache");
  await cache.addAll([...FILES].map((path) => new Request(path, { cache: cached(path) })));
  await host.skipWaiting();
}

/** Forget older clients. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name !== SHELL && name !== WORDS).map((name) => caches.delete(name)),
  );
  await host.clients.claim();
}

/** A page: the server's, or the kept document, which is the same for all of them. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match(DOCUMENT);
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE));
  return Promise.race([fetch(request), late]).catch(() => kept);
}

/** A file with a hash in its name never changes. */
async function unchanging(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function fresh(request: Request, path: string): Promise<Response> {
  return fetch(request).catch(async () => (await caches.match(path)) ?? Response.error());
}

/** The list of games and the rules: as the server says now, or as it said last. */
async function spoken(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(WORDS)).put(request, answer.clone());
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

export {};
