// Which place is open. Addresses are real paths, so that back, forward, bookmarks and links to one message work.

import { useEffect, useState } from "./core.js";

const listeners = new Set();
let leaving = null;

function here() {
  return { parts: location.pathname.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

function changed() {
  for (const listener of [...listeners]) listener(here());
}

export function go(address, { replace = false } = {}) {
  if (!replace && leaving && !confirm(leaving)) return;
  if (!replace) leaving = null;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  changed();
  if (!replace) scrollTo(0, 0);
}

// Something on the page is not saved yet: ask before it is left.
export function useGuard(words) {
  useEffect(() => {
    leaving = words || null;
    const ask = (event) => words && event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => {
      leaving = null;
      removeEventListener("beforeunload", ask);
    };
  }, [words]);
}

export function useRoute() {
  const [route, set] = useState(here);
  useEffect(() => {
    listeners.add(set);
    return () => listeners.delete(set);
  }, []);
  return route;
}

addEventListener("popstate", changed);
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.("a[href]");
  if (!link || link.target || link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
