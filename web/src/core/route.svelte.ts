/** Where we are: the address bar is the only state there is. */

interface Place {
  path: string;
  parts: string[];
  search: URLSearchParams;
  hash: string;
}

function here(): Place {
  return {
    path: location.pathname,
    parts: location.pathname.split("/").filter(Boolean).map(decodeURIComponent),
    search: new URLSearchParams(location.search),
    hash: location.hash.slice(1),
  };
}

let place = $state.raw(here());

let moves = 0;

export const route = (): Place => place;

/** Whether somebody has come here from another of our pages, not by loading this one. */
export const moved = (): boolean => moves > 0;

/** Go to another page; or change the address of this one without a step in the history. */
export function go(to: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  place = here();
  if (replace) return;
  moves += 1;
  window.scrollTo(0, 0);
}

window.addEventListener("popstate", () => (place = here()));

/** Follow links of our own without loading the page anew. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin)
    return;
  if (link.pathname.startsWith("/api")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
