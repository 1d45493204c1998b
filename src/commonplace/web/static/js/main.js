// The frame: the places at the side, the one that is open, help, colours, and what is said in the corner.

import { html, render, useEffect, useState } from "./core.js";
import { whenSignedOut } from "./api.js";
import { begin, useConnected, useLoad } from "./live.js";
import { useRoute } from "./router.js";
import { PLACES, listen, shortcutsOn, switchShortcuts } from "./keys.js";
import { Button, Dialog, Icon, Loading, Note, Toasts } from "./parts.js";

const OPENERS = {
  memory: () => import("./places/memory.js"),
  search: () => import("./places/search.js"),
  recall: () => import("./places/recall.js"),
  days: () => import("./places/days.js"),
  conversations: () => import("./places/conversations.js"),
  inbox: () => import("./places/inbox.js"),
  history: () => import("./places/history.js"),
  tidy: () => import("./places/tidy.js"),
  health: () => import("./places/health.js"),
};
const NEAR = ["memory", "search", "days", "inbox"];
const THEME = "commonplace.theme";

const dark = matchMedia("(prefers-color-scheme: dark)");
const themeNow = () => localStorage.getItem(THEME) ?? (dark.matches ? "dark" : "light");
const applyTheme = () => document.documentElement.setAttribute("data-theme", themeNow());

function ThemeSwitch() {
  const [theme, set] = useState(themeNow());
  const other = theme === "dark" ? "light" : "dark";
  const flip = () => {
    if (other === (dark.matches ? "dark" : "light")) localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, other);
    applyTheme();
    set(other);
  };
  return html`<${Button} kind="quiet" icon=${theme === "dark" ? "sun" : "moon"} label=${`Switch to ${other} colours`} onClick=${flip} />`;
}

function Help({ onClose }) {
  const [on, set] = useState(shortcutsOn());
  const flip = () => {
    switchShortcuts(!on);
    set(!on);
  };
  const keys = [
    ["/", "Search"], ["n", "New entry"], ["?", "This help"],
    ...PLACES.map(({ key, words }) => [`g ${key}`, words]),
    ["j k", "Down and up in a list"], ["Enter", "Open what is chosen"],
    ["e", "Edit (Memory, Inbox)"], ["#", "Forget (Memory)"], ["a r x", "Accept, reject, choose (Inbox)"], ["Esc", "Close or leave as it was"], ["Ctrl Enter", "Save what you type"],
  ];
  return html`<${Dialog} title="Keyboard" onClose=${onClose}>
    <ul class="help-keys">${keys.map(([combination, words]) => html`
      <li><span>${combination.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</span><span>${words}</span></li>`)}</ul>
    <label class="check"><input type="checkbox" checked=${on} onChange=${flip} />Single-key shortcuts are on</label>
  </${Dialog}>`;
}

const named = (book) => ({ ...book, name: book.name ?? book.path.split(/[/\\]/).pop() });

function PlaceLink({ place, open, waiting }) {
  const count = place.id === "inbox" && waiting ? waiting : null;
  return html`<li class=${NEAR.includes(place.id) ? "" : "far"}><a href=${`/${place.id}`} class="place" aria-current=${open ? "page" : undefined}>
    <${Icon} name=${place.id} /><span>${place.words}</span>
    ${count !== null && html`<span class="count"><span class="unseen">waiting: </span>${count}</span>`}</a></li>`;
}

function Side({ open, waiting, book, help }) {
  const [more, setMore] = useState(false);
  const far = PLACES.filter(({ id }) => !NEAR.includes(id));
  return html`<nav class="side" aria-label="Places">
    <a class="brand" href="/memory"><img src="/icon.svg" alt="" />Commonplace</a>
    <ul class="places">
      ${PLACES.map((place) => html`<${PlaceLink} place=${place} open=${open === place.id} waiting=${waiting} />`)}
      <li class="near"><button type="button" class="place" aria-haspopup="dialog" aria-current=${far.some(({ id }) => id === open) ? "page" : undefined}
        onClick=${() => setMore(true)}><${Icon} name="more" /><span>More</span></button></li>
    </ul>
    <div class="side-foot">
      <a class="book-name" href="/health#books" title=${book?.path ?? ""}><${Icon} name="book" /><span>${book?.name ?? ""}</span></a>
      <div class="row"><${ThemeSwitch} /><${Button} kind="quiet" icon="keys" label="Keyboard shortcuts" onClick=${help} /></div>
    </div>
    ${more && html`<${Dialog} title="More" onClose=${() => setMore(false)}>
      <ul class="more-places">${far.map((place) => html`<li><a href=${`/${place.id}`} onClick=${() => setMore(false)}>
        <${Icon} name=${place.id} />${place.words}</a></li>`)}</ul>
      <div class="row between"><span class="soft small">${book?.name ?? ""}</span><${ThemeSwitch} /></div>
    </${Dialog}>`}
  </nav>`;
}

function SignedOut() {
  return html`<div class="main"><div class="page"><div class="empty"><${Icon} name="lock" /><h2>This page needs its link</h2>
    <p>Your memory is yours: only a browser that opened the link of <code>commonplace serve</code> may see it. Start it again, or open the link that it printed.</p></div></div></div>`;
}

function Screen() {
  const { parts, query } = useRoute();
  const [help, setHelp] = useState(false);
  const [signedOut, setSignedOut] = useState(false);
  const [places, setPlaces] = useState({});
  const connected = useConnected();
  const wanted = parts[0] in OPENERS ? parts[0] : "memory";
  const about = useLoad("/", {}, false);
  const inbox = useLoad("/inbox", { nearest: 0, limit: 1 }, ["INBOX.md"]);
  useEffect(() => {
    whenSignedOut(() => setSignedOut(true));
    listen(() => setHelp(true));
  }, []);
  useEffect(() => {
    if (!places[wanted]) OPENERS[wanted]().then((module) => setPlaces((old) => ({ ...old, [wanted]: module.default })));
  }, [wanted]);
  if (signedOut) return html`<${SignedOut} />`;
  const Place = places[wanted];
  return html`<a class="skip" href="#main">Skip to the page</a>
    <div class="frame">
      <${Side} open=${wanted === "conversations" ? "days" : wanted} waiting=${inbox.data?.total} book=${about.data && named(about.data.book)} help=${() => setHelp(true)} />
      <main class="main" id="main" tabindex="-1">
        ${!connected && html`<div class="page offline"><${Note} kind="warn" role="status">Commonplace does not answer at the moment. What you type stays here; it is tried again by itself.</${Note}></div>`}
        ${Place && about.data ? html`<${Place} parts=${parts.slice(1)} query=${query} about=${about.data} />` : html`<${Loading} />`}
      </main>
    </div>
    <${Toasts} />
    ${help && html`<${Help} onClose=${() => setHelp(false)} />`}`;
}

applyTheme();
dark.addEventListener("change", applyTheme);
render(html`<${Screen} />`, document.getElementById("screen"));
begin();
