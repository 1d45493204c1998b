// Keyboard shortcuts of the whole screen. They can be switched off, as WCAG 2.1.4 asks.

import { go } from "./router.js";

export const PLACES = [
  { id: "memory", key: "m", words: "Memory" },
  { id: "search", key: "s", words: "Search" },
  { id: "recall", key: "r", words: "Recall" },
  { id: "days", key: "d", words: "Days" },
  { id: "inbox", key: "i", words: "Inbox" },
  { id: "history", key: "h", words: "History" },
  { id: "tidy", key: "t", words: "Tidy up" },
  { id: "health", key: "e", words: "Health & settings" },
];

const STORED = "commonplace.shortcuts";

export const shortcutsOn = () => localStorage.getItem(STORED) !== "off";
export const switchShortcuts = (on) => localStorage.setItem(STORED, on ? "on" : "off");

const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

// Keys of the place that is open: a table from key to what it does.
let local = {};

export function setLocalKeys(table) {
  local = table;
  return () => {
    if (local === table) local = {};
  };
}

let pending = 0;

export function listen(help) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !shortcutsOn()) return;
    if (typing(event.target) || document.querySelector("dialog[open], [role=menu]")) return;
    const after = Date.now() - pending < 1500;
    pending = 0;
    const place = after && PLACES.find(({ key }) => key === event.key);
    if (place) go(`/${place.id}`);
    else if (event.key === "g") pending = Date.now();
    else if (event.key === "/") go("/search");
    else if (event.key === "n") go("/memory?new=1");
    else if (event.key === "?") help();
    else if (local[event.key]) local[event.key](event);
    else return;
    event.preventDefault();
  });
}
