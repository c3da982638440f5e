/** What there is without a network: the client keeps itself, and the rules in the language that is spoken. */

const RELOADED = "bullpen-reloaded";
/** After so many milliseconds the client is kept: a first visit reaches its table before that, with few requests. */
const QUIET = 15_000;

/** Let the worker keep the client; in development there is none. */
export function keepForOffline(): void {
  // A page that stayed open over an upgrade asks for parts that are gone: the new client is a reload away, once.
  window.addEventListener("vite:preloadError", (event) => {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED) === location.href) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, location.href);
    location.reload();
  });
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  setTimeout(() => {
    // Without it everything works as long as there is a network.
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  }, QUIET);
}

let kept = "";

/** Have the rules of this language kept, once the worker listens and there is nothing better to do. */
export function keepRules(language: string): void {
  if (kept === language || !import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  kept = language;
  void navigator.serviceWorker.ready.then(() => {
    const ask = (): void => {
      for (const path of ["/api/games", `/api/rules?language=${language}`])
        void fetch(path).catch(() => undefined);
    };
    if (navigator.serviceWorker.controller) ask();
    else navigator.serviceWorker.addEventListener("controllerchange", ask, { once: true });
  });
}
